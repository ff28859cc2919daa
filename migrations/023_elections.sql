-- The elections of users, in the order of their commits. Numbers have no gaps and never come late, so that a back office can
-- read on from the last number it has. An election outlives its event: what was handed over must stay explicable.
create table election (
  number bigint primary key,
  event_id text not null,
  account_key text not null,
  elected_at timestamptz not null,
  user_key text not null,
  app_key text not null,
  document json not null
);
create index election_account on election (account_key, number);

-- Elections of users survive the import of an event record without Holdings.
alter table event_holding add column by_user boolean not null default false;

-- One row. Whoever elects holds it from taking a number until the commit.
create table election_count (
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
insert into election_count (last) values (0);

-- What an account gets of dividend options and reinvestments if nothing was elected. Those that have ended are kept: they
-- explain what was applied while they were in force.
create table standing_instruction (
  standing_instruction_id text primary key,
  account_key text not null references account on delete cascade deferrable initially deferred,
  uic bigint not null,
  asset_type text not null,
  option_type text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index standing_instruction_account on standing_instruction (account_key);
create unique index standing_instruction_in_force on standing_instruction (account_key, uic, asset_type)
  where ended_at is null;
