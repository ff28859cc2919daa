-- The run that an import undoes, which then has no files. Null: it has files.
-- Older nodes: they take an undo for an import without files, so applying it there changes nothing.
alter table import_upload add column undoes bigint;

-- Apps that imports added or changed and that are still there: the history has no apps, so an undo cannot count them. Apps of
-- earlier imports are counted in imported_data.
create table imported_app (
  app_key text primary key references app on delete cascade deferrable initially deferred
);
