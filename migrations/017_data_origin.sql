-- Where the data came from. A reset replaces data of the demo, never data that an operator imported. Both are unknown for
-- databases that are older than this: those cannot be reset.
alter table service add column demo_loaded_at timestamptz;

-- How many records of each kind all imports together added or changed.
create table imported_data (
  kind text primary key,
  records bigint not null,
  last_at timestamptz not null
);
