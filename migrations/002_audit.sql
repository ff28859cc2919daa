-- What happened: an inbox that everyone writes to without waiting for anyone, and the sealed chain made from it.

-- One column, so that any statement can log by a CTE of its own. What would not fit the log is refused here, in the
-- transaction that wrote it; later it would stop the sealing for everybody.
create table audit_inbox (
  id bigint generated always as identity primary key,
  body text not null check (
    octet_length(body) <= 65536 and body::jsonb ?& array['at', 'recordedAt', 'kind']
  )
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

-- mac = HMAC(key, mac of seq - 1, seq, body). The text is what is sealed; the column to search by is read from it, so
-- that it cannot say anything else. An index entry has a largest size, hence the left().
create table audit_log (
  seq bigint primary key check (seq > 0),
  body text not null,
  mac bytea not null,
  app_key text generated always as (left(body::jsonb ->> 'app', 100)) stored
);
create index audit_log_app on audit_log (app_key, seq desc) where app_key is not null;

-- Which part of the chain was moved to which file, and the mac that the rest continues from; sealed like a link.
create table audit_archive (
  through_seq bigint primary key check (through_seq >= first_seq),
  first_seq bigint not null check (first_seq > 0),
  mac bytea not null,
  file_name text not null,
  archived_at text not null,
  seal bytea not null
);

-- Keeps honest code honest. Who can disable a trigger is found by `refdesk audit verify`.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'audit_log' and tg_op = 'DELETE' and current_setting('refdesk.archiving', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op;
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
create trigger audit_archive_append_only before update or delete or truncate on audit_archive
  for each statement execute function refuse_audit_change();
