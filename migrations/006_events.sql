-- What accounts hold, and the corporate action events of it.

-- For lower(): the same letters whatever the locale of the database. PostgreSQL brings it from 17 on, ICU before.
do $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    create collation letters (provider = builtin, locale = 'C.UTF-8');
  else
    create collation letters (provider = icu, locale = 'und');
  end if;
end
$$;

-- A record holds from its day until the day of the next one of the same account and instrument; the import keeps
-- `held_until` (the first day that it no longer holds). One without a day is held since ever. The key covers what the
-- list of events asks of an account, so that its positions are read from the index alone.
create table position (
  account_key text not null references account on delete cascade deferrable initially deferred,
  uic bigint not null,
  asset_type text not null,
  held_from date not null default '-infinity',
  held_until date not null default 'infinity' check (held_until > held_from),
  amount numeric not null,
  primary key (account_key, uic, asset_type, held_from) include (held_until, amount)
);

-- The document is what every holder is told alike, as it goes over the wire but for the form of its days. What is
-- filtered or sorted by is a column besides. `status` is what the data says; without it the dates decide.
create table event (
  event_id text primary key,
  uic bigint not null,
  asset_type text not null,
  corporate_action_type text not null,
  event_type text not null,
  event_type_name text not null,
  state text not null,
  status text,
  is_electable boolean not null,
  announced_on date,
  ex_on date,
  record_on date,
  -- The "Date" of sorting and of the one-year window; an event without any date is never listed.
  key_date date,
  -- Upcoming before the one, Past after the other.
  starts_on date,
  ends_on date,
  deadlines date[] not null,
  payments date[] not null,
  description text,
  isin text,
  symbol text,
  updated_at timestamptz not null,
  document json not null,
  -- Members of the record that are not on the wire in this form: names and a status of its own as given, and what a
  -- message said that has no member.
  aside json
);
create index event_instrument on event (uic, asset_type, key_date);

-- The elections of single accounts: an event may have very many, and nobody sees any but their own.
create table event_holding (
  event_id text not null references event on delete cascade deferrable initially deferred,
  account_key text not null references account on delete cascade deferrable initially deferred,
  ordinal integer not null,
  elected_amount numeric not null,
  document json not null,
  primary key (event_id, account_key)
);
create index event_holding_account on event_holding (account_key);

-- Private addresses for calendar programs, which send no token. Only the hash of the address is kept.
create table calendar (
  calendar_id text primary key,
  token_hash bytea not null unique,
  user_key text not null references service_user on delete cascade,
  name text not null,
  filters json not null,
  created_at timestamptz not null,
  last_read_at timestamptz
);
create index calendar_user on calendar (user_key, created_at);
