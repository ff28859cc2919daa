-- Who may change the clock, inject faults and reset, if not everyone (SIM_CONTROLS).
alter table service_user add column is_operator boolean not null default false;
