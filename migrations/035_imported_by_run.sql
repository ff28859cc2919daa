-- What each run changed in imported_data, by kind: its undo changes it by the opposite, also that of a restore. Null: unknown,
-- because the run is older than this and was no import.
alter table history_run add column imported jsonb;
with recursive effect as (
  select run, counts, 1 as sign from history_run where undoes is null and counts is not null
  union all
  select r.run, e.counts, -e.sign from effect e join history_run r on r.undoes = e.run)
update history_run r set imported = (
  select coalesce(jsonb_object_agg(c ->> 'kind', e.sign * ((c ->> 'added')::bigint + (c ->> 'changed')::bigint)), '{}')
  from json_array_elements(e.counts) c where c ->> 'kind' <> 'app')
from effect e where e.run = r.run;
alter table history_run alter column imported set default '{}';

create function note_imported() returns trigger language plpgsql as $$
declare
  name text := coalesce(new.kind, old.kind);
  change bigint := coalesce(new.records, 0) - coalesce(old.records, 0);
begin
  update history_run set imported = imported || jsonb_build_object(name, coalesce((imported ->> name)::bigint, 0) + change)
  where run = nullif(current_setting('refdesk.run', true), '')::bigint;
  return null;
end $$;
-- Deferred, because a restore may change imported_data before it has a run.
-- Older nodes: their imports and restores fire it too, and only set the new column.
create constraint trigger imported_data_changed after insert or update or delete on imported_data deferrable initially deferred
for each row execute function note_imported();
