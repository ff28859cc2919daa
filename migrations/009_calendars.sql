-- Calendars: trading hours and holidays that several exchanges, instruments and option roots share, and the settlement days
-- of currencies.
create table trading_calendar (
  calendar_id text primary key,
  document json not null,
  revision bigint not null
);

alter table exchange add column calendar_id text;
alter table instrument add column calendar_id text;
alter table option_root add column calendar_id text;

alter table reference_deletion drop constraint reference_deletion_kind_check;
alter table reference_deletion add constraint reference_deletion_kind_check
  check (kind in ('calendar', 'exchange', 'instrument', 'optionRoot'));
