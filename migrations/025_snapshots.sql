-- Snapshots of the sim environment: all data of a moment, to be restored. A row is kept as the text of its columns, so that it
-- comes back exactly, and can be compared with what the table has now.
create table snapshot (
  snapshot_id bigint generated always as identity primary key,
  name text not null unique,
  saved_at timestamptz not null,
  -- The time of the service, which a restore sets.
  service_time timestamptz not null,
  is_frozen boolean not null,
  -- The last migration. Rows of other tables than today's cannot be restored.
  migration integer not null,
  bytes bigint not null default 0,
  demo_loaded_at timestamptz,
  -- The reference data and the events that the snapshot has. As long as these are the present ones, their tables need not be
  -- compared.
  reference_identity uuid not null,
  event_identity uuid not null
);

create table snapshot_row (
  snapshot_id bigint not null references snapshot on delete cascade,
  table_name text not null,
  content text not null
);
create index snapshot_row_table on snapshot_row (snapshot_id, table_name);
