-- Who there is: clients (a tree), their account groups, accounts and users, and what each may see and trade.

create table service (
  only_row boolean primary key default true check (only_row),
  environment text not null,
  -- Where the service that uses this database says it is: commands speak for it.
  public_url text,
  -- Sealed under MASTER_KEY when the database was made; a key that does not open it is the wrong one.
  key_check bytea not null
);

create table client (
  client_key text primary key,
  client_id text not null unique,
  name text not null,
  owner_client_key text references client deferrable initially deferred
);
create index client_owner on client (owner_client_key) where owner_client_key is not null;

create table account_group (
  account_group_key text primary key,
  client_key text not null references client on delete cascade deferrable initially deferred,
  name text not null
);
create index account_group_client on account_group (client_key);

create table account (
  account_key text primary key,
  account_id text not null unique,
  client_key text not null references client on delete cascade deferrable initially deferred,
  account_group_key text references account_group deferrable initially deferred,
  currency text not null
);
create index account_client on account (client_key, account_id);

create table service_user (
  user_key text primary key,
  -- The name people sign in with; compared without regard to case.
  name text not null,
  client_key text not null references client on delete cascade deferrable initially deferred,
  password_hash text,
  disabled boolean not null default false
);
create unique index service_user_name on service_user (lower(name));
create index service_user_client on service_user (client_key);

create table access_right (
  access_right_id bigint generated always as identity primary key,
  client_key text not null references client on delete cascade deferrable initially deferred,
  account_key text references account on delete cascade deferrable initially deferred,
  user_key text references service_user on delete cascade deferrable initially deferred,
  asset_types text[],
  exchange_ids text[],
  level text not null check (level in ('View', 'Trade')),
  unique nulls not distinct (client_key, account_key, user_key, asset_types, exchange_ids, level)
);

-- What every node must hear of. The transaction id lets a reader that polls see each row once all earlier
-- transactions have ended, also when they commit out of order; the notification only shortens the wait.
create table change (
  change_id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  topic text not null,
  key text not null,
  made_at timestamptz not null default clock_timestamp()
);
create index change_transaction on change (transaction_id);

create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('refdesk_change', '');
  return null;
end $$;
create trigger change_announced after insert on change for each statement execute function announce_change();

-- Requests counted over all nodes. Not worth a durable write: after a crash the counting starts anew.
create unlogged table rate_count (
  key text not null,
  window_start bigint not null,
  count bigint not null,
  primary key (key, window_start)
);
