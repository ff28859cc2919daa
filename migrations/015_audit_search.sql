-- The log is searched for what was done to an app. Nearly all entries are refreshes: they are told apart by their text,
-- because parsing every entry, once for the column and once for the index, took more than half of the time of inserting it.
-- An index entry has a largest size, hence the left().

drop index audit_log_app_managed;
alter table audit_log drop column app_key;
create index audit_log_app_managed on audit_log (left(body::jsonb ->> 'app', 100), seq desc)
  where strpos(body, '"kind":"AppChanged"') > 0 or strpos(body, '"kind":"SecretRevealed"') > 0;
