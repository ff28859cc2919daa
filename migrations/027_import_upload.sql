-- Files that operators send to be imported: kept for an hour, checked, then applied.
create table import_upload (
  import_id text primary key,
  user_key text not null,
  uploaded_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- Name and size of each file.
  files jsonb not null,
  -- Uploaded, Checking, Checked, Applying or Applied.
  state text not null,
  -- The newest run. No other may apply anything or write what it found.
  run_id text,
  -- When the node of the run last said that it works on it, and how far it is.
  beat_at timestamptz,
  progress jsonb,
  -- What the last run found, sealed: errors can quote records.
  outcome bytea,
  -- Why the last run ended without an outcome.
  message text
);
create index import_upload_user on import_upload (user_key);
create index import_upload_expiry on import_upload (expires_at);

-- The files in parts, sealed: they can contain passwords and secrets.
create table import_upload_part (
  import_id text not null references import_upload on delete cascade,
  file integer not null,
  part integer not null,
  sealed bytea not null,
  primary key (import_id, file, part)
);
