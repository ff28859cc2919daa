-- What records say of users, clients, accounts and account groups beyond their names and keys.

alter table client add column fields jsonb not null default '{}';
alter table account_group add column fields jsonb not null default '{}';
alter table account add column fields jsonb not null default '{}';
alter table service_user add column fields jsonb not null default '{}';

-- For the last login of a user.
create index session_created on session (user_key, created_at);
