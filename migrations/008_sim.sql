-- The sim environment: the service's own time, and what is made to go wrong for an app.

-- No row: nobody has travelled yet. Frozen, time stands at frozen_at; else it runs that far from real time.
create table sim_clock (
  only_row boolean primary key default true check (only_row),
  offset_microseconds bigint not null default 0,
  frozen_at timestamptz
);

-- Until real time, which no travel moves.
create table app_fault (
  app_key text primary key references app on delete cascade deferrable initially deferred,
  kind text not null,
  percent integer not null,
  delay_seconds double precision,
  service_group text,
  ends_at timestamptz not null
);
