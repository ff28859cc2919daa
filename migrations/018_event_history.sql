-- The identity of the events at each of their recent revisions, as reference_history has it for the reference data. What a
-- node has read belongs to these events only if its revision had this identity: after a failover or a restore, the database
-- may lack what was read and have counted on.
create table event_history (
  revision bigint primary key,
  identity uuid not null
);
insert into event_history select revision, identity from event_data;

create function note_event_history() returns trigger language plpgsql as $$
begin
  delete from event_history where revision >= new.revision or revision < new.revision - 1000;
  insert into event_history values (new.revision, new.identity);
  return null;
end $$;
-- Older nodes: what they import fires it too and only adds rows to the new table.
create trigger event_data_noted after update on event_data for each row execute function note_event_history();
