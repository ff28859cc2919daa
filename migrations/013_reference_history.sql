-- The identity of the reference data at each of its recent revisions. A catalogue that was built earlier and kept on disk
-- belongs to this data only if its revision had this identity: a database that was restored and changed since has another.
create table reference_history (
  revision bigint primary key,
  identity uuid not null
);
insert into reference_history select revision, identity from reference_data;

create function note_reference_history() returns trigger language plpgsql as $$
begin
  delete from reference_history where revision >= new.revision or revision < new.revision - 1000;
  insert into reference_history values (new.revision, new.identity);
  return null;
end $$;
create trigger reference_data_noted after update on reference_data for each row execute function note_reference_history();
