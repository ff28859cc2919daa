-- A position that is no longer held hides the events of its instrument, also those that were removed since.
create index record_version_removed_event on record_version ((previous -> 'document' ->> 'Uic'))
where kind = 'event' and part = '' and change = 'removed';
