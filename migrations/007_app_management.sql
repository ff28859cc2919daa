-- What was done to an app, for its owner: a few entries among very many sign-ins and refreshes of the same app, which an
-- index of all of them would have to be read through.

drop index audit_log_app;
create index audit_log_app_managed on audit_log (app_key, seq desc)
  where body::jsonb ->> 'kind' in ('AppChanged', 'SecretRevealed');

-- Raised whenever all that an app was granted ends. A code is good for the count that it was issued under, so that one
-- that is still on its way ends too, and does not come back when the app does.
alter table app add column grant_epoch integer not null default 0;
alter table authorization_code add column grant_epoch integer not null default 0;
