-- Reference data. The document is the record as it was imported; what is searched or joined in SQL is a column besides.
-- `revision` is the data's revision with which a row last changed: what came later than a node's catalogue is found by it.

-- `identity` is the data's at that revision: one that was restored, or loaded into a new database, counts the same
-- revisions again, and what it then has is told from what it had.
create table reference_data (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0,
  identity uuid not null default gen_random_uuid()
);
insert into reference_data default values;

create function renew_reference_identity() returns trigger language plpgsql as $$
begin
  new.identity := gen_random_uuid();
  return new;
end $$;
create trigger reference_data_changed before update on reference_data for each row
execute function renew_reference_identity();

create table exchange (
  exchange_id text primary key,
  document json not null,
  revision bigint not null
);

create table instrument (
  uic bigint primary key,
  asset_types text[] not null,
  exchange_ids text[] not null,
  symbol text not null,
  description text not null,
  isin text,
  -- Of a future: the continuous parent whose space it is in.
  continuous_uic bigint,
  document json not null,
  revision bigint not null
);
create index instrument_isin on instrument (isin) where isin is not null;
create index instrument_continuous on instrument (continuous_uic) where continuous_uic is not null;
create index instrument_revision on instrument (revision);

-- A root with its whole option space. `uics` are those of its contracts.
create table option_root (
  option_root_id bigint primary key,
  exchange_id text not null,
  uics bigint[] not null,
  document json not null,
  revision bigint not null
);
create index option_root_revision on option_root (revision);

-- What is gone: a catalogue that was built before must forget it.
create table reference_deletion (
  kind text not null check (kind in ('exchange', 'instrument', 'optionRoot')),
  key text not null,
  revision bigint not null,
  primary key (kind, key)
);
create index reference_deletion_revision on reference_deletion (revision);

-- Access tokens outlive their session, so a node must know of sessions that ended within the last day. Those that go with
-- their user or app are noted here, whoever removes them.
create table removed_session (
  session_id text primary key,
  removed_at timestamptz not null default clock_timestamp()
);
create index removed_session_time on removed_session (removed_at);

create function note_removed_session() returns trigger language plpgsql as $$
begin
  insert into removed_session (session_id) values (old.session_id) on conflict do nothing;
  return null;
end $$;
create trigger session_removed after delete on session for each row
when (old.expires_at > clock_timestamp() - interval '25 hours'
  and (old.ended_at is null or old.ended_at > clock_timestamp() - interval '25 hours'))
execute function note_removed_session();
