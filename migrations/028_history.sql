-- History: the previous version of whatever changes in the data. One table of versions, whose number is the cursor of every
-- reader: whoever has read up to a number never meets a smaller one later, because each writer holds one lock from its first
-- version until its commit.

-- `identity` is that of the history: it changes when the history begins again (a reset). All versions up to `pruned_seq` are
-- gone.
create table history (
  only_row boolean primary key default true check (only_row),
  identity uuid not null default gen_random_uuid(),
  pruned_seq bigint not null default 0
);
insert into history default values;

-- A transaction that changed data, such as an import. Runs are numbered in the order of their commits. The versions of a run
-- are those after `after_seq` and up to that of the next run.
create table history_run (
  run bigint generated always as identity primary key,
  -- Real time, which no travel moves.
  at timestamptz not null default clock_timestamp(),
  after_seq bigint not null,
  -- What changed the data: names of files, or words such as "scenario cash-dividend".
  source text not null,
  -- The revisions that it led to, if it changed reference data or events.
  reference_revision bigint,
  event_revision bigint,
  -- The number of the last election before it.
  last_election bigint not null,
  -- The run that it undid.
  undoes bigint,
  -- Of an import: what it counted, by kind. Null: not an import.
  counts json
);
create index history_run_at on history_run (at);
create index history_run_undoes on history_run (undoes) where undoes is not null;

-- `kind` and `id` name a record as imports do. A record may be kept in several rows: `part` names an account group of a client,
-- the account of elections, or an access right of a client. `previous` is the row before the change, null if there was none. No
-- secret is ever in it.
create table record_version (
  seq bigint generated always as identity primary key,
  run bigint not null,
  kind text not null,
  id text not null,
  part text not null,
  change text not null check (change in ('added', 'changed', 'removed')),
  previous json
);
create index record_version_record on record_version (kind, id, seq);

-- The run of this transaction, which begins with its first version.
create function current_history_run() returns bigint language plpgsql as $$
declare
  present bigint := nullif(current_setting('refdesk.run', true), '')::bigint;
begin
  if present is not null then
    return present;
  end if;
  -- locks.history in src/database/locks.ts. Imports and commands take it first, before they lock any row.
  perform pg_advisory_xact_lock(7245006);
  insert into history_run (source, after_seq, last_election)
  select coalesce(current_setting('refdesk.source', true), ''),
    greatest(h.pruned_seq, (select max(seq) from record_version)), (select last from election_count)
  from history h returning run into present;
  perform set_config('refdesk.run', present::text, true);
  return present;
end $$;

-- Arguments: the kind, and expressions of the row `r` for id, part and content. A row that is written again as it was has no
-- version.
create function note_versions() returns trigger language plpgsql as $$
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
  execute format('with changes as materialized (%s),
      run as materialized (select current_history_run() as run where exists (select from changes))
    insert into record_version (run, kind, id, part, change, previous)
    select run.run, %L, c.id, c.part, c.change, c.content from run, changes c', changes, tg_argv[0]);
  return null;
end $$;

-- Elections of users are not part of the history: they have one of their own (`election`). Only those that an import, a scenario
-- or a restore writes are.
do $$
declare
  one record;
begin
  for one in select * from (values
    ('trading_calendar', '', 'calendar', 'r.calendar_id', '''''', 'r.document'),
    ('exchange', '', 'exchange', 'r.exchange_id', '''''', 'r.document'),
    ('instrument', '', 'instrument', 'r.uic::text', '''''', 'r.document'),
    ('option_root', '', 'optionRoot', 'r.option_root_id::text', '''''', 'r.document'),
    ('client', '', 'client', 'r.client_key', '''''', 'to_jsonb(r)::json'),
    ('account_group', '', 'client', 'r.client_key', 'r.account_group_key', 'to_jsonb(r)::json'),
    ('account', '', 'account', 'r.account_key', '''''', 'to_jsonb(r)::json'),
    ('service_user', '', 'user', 'r.user_key', '''''',
      'json_build_object(''user_key'', r.user_key, ''name'', r.name, ''client_key'', r.client_key,
        ''disabled'', r.disabled, ''is_operator'', r.is_operator, ''fields'', r.fields)'),
    ('access_right', '', 'accessRight', 'r.client_key', 'md5((to_jsonb(r) - ''access_right_id'')::text)',
      '(to_jsonb(r) - ''access_right_id'')::json'),
    ('position', '', 'position',
      'concat_ws('' '', r.account_key, r.uic, r.asset_type, nullif(r.held_from, ''-infinity''))', '''''',
      '(to_jsonb(r) - ''held_until'')::json'),
    ('event', '', 'event', 'r.event_id', '''''',
      'json_build_object(''document'', r.document, ''aside'', r.aside, ''updated_at'', r.updated_at)'),
    ('event_holding', 'when (current_setting(''refdesk.source'', true) <> '''')', 'event', 'r.event_id', 'r.account_key',
      'json_build_object(''ordinal'', r.ordinal, ''by_user'', r.by_user, ''document'', r.document)')
  ) as listed (name, condition, kind, id, part, content)
  loop
    -- Older nodes: what they write fires these too, and only adds rows to the new tables.
    execute format('create trigger %I after insert on %I referencing new table as new_rows for each statement %s
      execute function note_versions(%L, %L, %L, %L)',
      one.name || '_inserted', one.name, one.condition, one.kind, one.id, one.part, one.content);
    execute format('create trigger %I after update on %I referencing old table as old_rows new table as new_rows
      for each statement %s execute function note_versions(%L, %L, %L, %L)',
      one.name || '_updated', one.name, one.condition, one.kind, one.id, one.part, one.content);
    execute format('create trigger %I after delete on %I referencing old table as old_rows for each statement %s
      execute function note_versions(%L, %L, %L, %L)',
      one.name || '_deleted', one.name, one.condition, one.kind, one.id, one.part, one.content);
  end loop;
end $$;

create function note_run_revision() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'event_data' then
    update history_run set event_revision = new.revision where run = nullif(current_setting('refdesk.run', true), '')::bigint;
  else
    update history_run set reference_revision = new.revision
    where run = nullif(current_setting('refdesk.run', true), '')::bigint;
  end if;
  return null;
end $$;
-- Older nodes: what they import fires it too and only changes rows of the new table.
create trigger reference_data_run after update on reference_data for each row execute function note_run_revision();
-- Older nodes: what they import fires it too and only changes rows of the new table.
create trigger event_data_run after update on event_data for each row execute function note_run_revision();
