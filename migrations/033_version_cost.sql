-- Versions cost less to write: an import writes one for each record that it adds or changes.

-- For one record. Few records of different kinds have the same id, so comparing the kind first only costs time.
create index record_version_id on record_version (id, seq);
-- For all records of a kind since a number. Imports write instruments and positions most: they have no entry here.
create index record_version_kind on record_version (kind, seq) where kind not in ('instrument', 'position');

-- As before, but changes are not stored in between. The scalar subquery finds the run once, for the first change, and not at all
-- without one. `offset 0` keeps it in a step of its own: the run takes the lock before a number is given.
create or replace function note_versions() returns trigger language plpgsql as $$
declare
  row text := format('%s as id, %s as part, %s as content', tg_argv[1], tg_argv[2], tg_argv[3]);
  changes text;
begin
  -- What replaces all data begins a new history.
  if current_setting('refdesk.history', true) = 'off' then
    return null;
  end if;
  changes := case tg_op
    when 'INSERT' then format('select id, part, ''added'' as change, null::json as content
      from (select %s from new_rows r) n', row)
    when 'DELETE' then format('select id, part, ''removed'' as change, content
      from (select %s from old_rows r) o', row)
    else format('select coalesce(o.id, n.id) as id, coalesce(o.part, n.part) as part,
        case when n.id is null then ''removed'' when o.id is null then ''added'' else ''changed'' end as change, o.content
      from (select %s from old_rows r) o
      full join (select %s from new_rows r) n on n.id = o.id and n.part = o.part
      where o.content::text is distinct from n.content::text', row, row)
    end;
  execute format('insert into record_version (run, kind, id, part, change, previous)
    select c.run, %L, c.id, c.part, c.change, c.content
    from (select (select current_history_run()) as run, * from (%s) found offset 0) c', tg_argv[0], changes);
  return null;
end $$;
