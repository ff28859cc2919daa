-- Events are served from memory, as reference data is. `revision` is the events' revision with which a row last changed, so
-- that a node reads only what came later than its catalogue. Reference data has a revision of its own: an import of events
-- leaves what is known of instruments valid, and the other way round.
create table event_data (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0,
  identity uuid not null default gen_random_uuid()
);
insert into event_data default values;
create trigger event_data_changed before update on event_data for each row
execute function renew_reference_identity();

alter table event add column revision bigint not null default 0;
create index event_revision on event (revision);

-- What is gone: a catalogue that was read before must forget it.
create table event_deletion (
  event_id text primary key,
  revision bigint not null
);
create index event_deletion_revision on event_deletion (revision);
