-- Answers as of a moment: when each run was committed, from when on every moment is known, and what accounts had elected and
-- instructed before.

-- An import may take minutes: `at` is when it began, `committed_at` when others could see it. Times of runs
-- increase, even if the clock is set back.
alter table history_run add column committed_at timestamptz;
update history_run set committed_at = at;
create index history_run_committed on history_run (committed_at, run);
create index history_run_reference on history_run (reference_revision, run) where reference_revision is not null;
create index history_run_event on history_run (event_revision, run) where event_revision is not null;

create function note_commit() returns trigger language plpgsql as $$
begin
  update history_run set committed_at = greatest(clock_timestamp(),
    (select max(committed_at) from history_run) + interval '1 microsecond')
  where run = new.run;
  return null;
end $$;
-- Deferred, so that it is the last thing that a transaction does.
-- Older nodes: what they change fires it too, and only sets the new column.
create constraint trigger history_run_committed after insert on history_run deferrable initially deferred
for each row execute function note_commit();

-- Every moment from `begins_at` on is known, and the revisions that the data had then.
alter table history add column begins_at timestamptz not null default clock_timestamp();
alter table history add column reference_revision bigint;
alter table history add column event_revision bigint;
update history set reference_revision = (select revision from reference_data),
  event_revision = (select revision from event_data);

create function begin_history() returns trigger language plpgsql as $$
begin
  update history set begins_at = clock_timestamp(), reference_revision = (select revision from reference_data),
    event_revision = (select revision from event_data);
  return null;
end $$;
-- Older nodes: their reset fires it too, and only sets the new columns.
create constraint trigger history_begun after update on history deferrable initially deferred
for each row when (old.identity <> new.identity) execute function begin_history();

-- What users change outside of runs: `previous` is what was there until `at`, null if there was nothing.
create table account_version (
  number bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('election', 'standingInstruction')),
  account_key text not null,
  id text not null,
  previous json
);
create index account_version_account on account_version (account_key, at);
create index account_version_at on account_version (at);

create function note_account_version() returns trigger language plpgsql as $$
begin
  -- What replaces all data begins a new history.
  if current_setting('refdesk.history', true) = 'off' then
    return null;
  end if;
  if tg_argv[0] = 'election' then
    insert into account_version (kind, account_key, id, previous)
    values ('election', coalesce(new.account_key, old.account_key), coalesce(new.event_id, old.event_id), to_json(old));
  else
    insert into account_version (kind, account_key, id, previous)
    values ('standingInstruction', coalesce(new.account_key, old.account_key),
      coalesce(new.standing_instruction_id, old.standing_instruction_id), to_json(old));
  end if;
  return null;
end $$;
-- The elections that runs change are in record_version.
-- Older nodes: their elections fire it too, and only add rows to the new table.
create trigger event_holding_elected after insert or update or delete on event_holding for each row
when (coalesce(current_setting('refdesk.source', true), '') = '') execute function note_account_version('election');
-- Older nodes: their instructions fire it too, and only add rows to the new table.
create trigger standing_instruction_given after insert or update or delete on standing_instruction for each row
execute function note_account_version('standingInstruction');

create index record_version_position on record_version (split_part(id, ' ', 1), seq) where kind = 'position';
create index record_version_election on record_version (part, seq) where kind = 'event' and part <> '';

-- The state of any row at a number is the first version after it, or else the present row. A position holds until the next one
-- of the same instrument.
create function positions_at(of_account text, at_seq bigint)
returns table (uic bigint, asset_type text, held_from date, held_until date, amount numeric) language sql stable as $$
  with later as materialized (
    select distinct on (v.id) v.id, v.previous from record_version v
    where v.kind = 'position' and split_part(v.id, ' ', 1) = of_account and v.seq > at_seq order by v.id, v.seq),
  held as (
    select p.uic, p.asset_type, p.held_from, p.amount from position p where p.account_key = of_account and not exists (
      select from later l
      where l.id = concat_ws(' ', p.account_key, p.uic, p.asset_type, nullif(p.held_from, '-infinity')))
    union all
    select (l.previous ->> 'uic')::bigint, l.previous ->> 'asset_type', (l.previous ->> 'held_from')::date,
      (l.previous ->> 'amount')::numeric
    from later l where l.previous is not null)
  select h.uic, h.asset_type, h.held_from,
    coalesce(lead(h.held_from) over (partition by h.uic, h.asset_type order by h.held_from), 'infinity'), h.amount
  from held h
$$;

-- Elections are changed by runs and by users. Those of one account and event wait for each other, so their times are in order.
-- A run may remove an election and add it again at the same time: the first of its versions has what was there before.
create function elections_at(of_account text, at_seq bigint, at_time timestamptz)
returns table (event_id text, elected_amount numeric, document json) language sql stable as $$
  with later as (
    select v.id, r.committed_at as at, v.seq as number, v.previous from record_version v join history_run r using (run)
    where v.kind = 'event' and v.part <> '' and v.part = of_account and v.seq > at_seq
    union all
    select a.id, a.at, a.number, a.previous from account_version a
    where a.account_key = of_account and a.kind = 'election' and a.at > at_time),
  next as materialized (select distinct on (l.id) l.id, l.previous from later l order by l.id, l.at, l.number),
  elected as (
    select h.event_id, h.document from event_holding h
    where h.account_key = of_account and not exists (select from next n where n.id = h.event_id)
    union all select n.id, n.previous -> 'document' from next n where n.previous is not null)
  select e.event_id, coalesce((
      select sum((o ->> 'ElectedAmount')::numeric) from json_array_elements(e.document -> 'Options') o), 0), e.document
  from elected e
$$;

create function standing_instructions_at(of_account text, at_time timestamptz)
returns setof standing_instruction language sql stable as $$
  with next as materialized (
    select distinct on (a.id) a.id, a.previous from account_version a
    where a.account_key = of_account and a.kind = 'standingInstruction' and a.at > at_time order by a.id, a.number)
  select s.* from standing_instruction s
  where s.account_key = of_account and not exists (select from next n where n.id = s.standing_instruction_id)
  union all
  select r.* from next n cross join lateral json_populate_record(null::standing_instruction, n.previous) r
  where n.previous is not null
$$;

-- What an event was of.
create function instrument_of_event_at(of_event text, at_seq bigint)
returns table (uic bigint, asset_type text) language sql stable as $$
  with next as (
    select v.previous -> 'document' as document from record_version v
    where v.kind = 'event' and v.id = of_event and v.part = '' and v.seq > at_seq order by v.seq limit 1)
  select (n.document ->> 'Uic')::bigint, n.document ->> 'AssetType' from next n where n.document is not null
  union all
  select e.uic, e.asset_type from event e where e.event_id = of_event and not exists (select from next)
$$;
