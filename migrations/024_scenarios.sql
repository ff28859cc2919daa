-- The scenarios that are loaded, each with the keys of the records that it brought: those are what unloading removes.
create table scenario (
  name text primary key,
  title text not null,
  shows text not null,
  view text not null,
  look_at text not null,
  loaded_at timestamptz not null,
  record_count integer not null,
  -- Deletion records in the import format, without `delete`.
  records json not null
);
