-- A user has a limited number of sessions with an app: the oldest are found by their time. It also finds all of a user.
create index session_of_user_and_app on session (user_key, app_key, created_at) where ended_at is null;
drop index session_of_user;
