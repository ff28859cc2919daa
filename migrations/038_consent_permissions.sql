-- The permissions that the consent page listed. Empty for a consent that a node of an earlier version recorded: its page did
-- not list all of them, so the next sign-in asks again.
alter table consent add column permissions text[] not null default '{}';
-- Whether the consent of a session allowed no changes: its tokens stay read-only, even if the app may trade later.
alter table session add column read_only boolean not null default false;
update session set read_only = true from app
  where app.app_key = session.app_key and not (online_level = 'Trade' and offline_level = 'Trade');
