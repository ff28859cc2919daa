-- The order in which sessions really started. Their times are those of the service, which a time travel sets back. Sessions
-- from before this have no number; they are older than all others, and among themselves as old as their time says.
alter table session add column start_order bigint;
create sequence session_start_order owned by session.start_order;
alter table session alter column start_order set default nextval('session_start_order');

create index session_start on session (user_key, app_key, start_order nulls first, created_at) where ended_at is null;
drop index session_of_user_and_app;
