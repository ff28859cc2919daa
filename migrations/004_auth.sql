-- Signing in and the tokens that follow from it. No code, token or cookie is kept in clear, only its SHA-256.

create table signing_key (
  kid text primary key,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  created_at timestamptz not null,
  -- Null: the next key, published but not yet signing. The latest that has begun signs; an earlier one only
  -- verifies until its last token has ended, and is then removed.
  active_from timestamptz
);

create table sign_in (
  sign_in_id text primary key,
  cookie_hash bytea not null unique,
  user_key text not null references service_user on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text not null
);
create index sign_in_user on sign_in (user_key) where ended_at is null;
create index sign_in_expiry on sign_in (expires_at);

create table consent (
  user_key text not null references service_user on delete cascade,
  app_key text not null references app on delete cascade,
  given_at timestamptz not null,
  primary key (user_key, app_key)
);

create table session (
  session_id text primary key,
  user_key text not null references service_user on delete cascade,
  app_key text not null references app on delete cascade,
  sign_in_id text,
  redirect_uri text,
  code_challenge text,
  code_challenge_method text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  address text not null,
  user_agent text not null
);
create index session_of_user on session (user_key) where ended_at is null;
create index session_of_app on session (app_key) where ended_at is null;
create index session_of_sign_in on session (sign_in_id) where ended_at is null;
create index session_expiry on session (expires_at);
create index session_ended on session (ended_at) where ended_at is not null;

create table authorization_code (
  code_hash bytea primary key,
  app_key text not null references app on delete cascade,
  user_key text not null references service_user on delete cascade,
  sign_in_id text not null,
  redirect_uri text not null,
  code_challenge text,
  code_challenge_method text,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz,
  session_id text
);
create index authorization_code_expiry on authorization_code (expires_at);

-- No foreign key to session: its row lock would be one more write on every refresh. Rows end by their own expiry.
create table refresh_token (
  token_hash bytea primary key,
  session_id text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz,
  -- What the client proved itself with when it was spent.
  spent_with text
) with (fillfactor = 80);
create index refresh_token_expiry on refresh_token using brin (expires_at) with (pages_per_range = 32);

-- The answer that a spent token got, for the grace time: sealed under a key derived from the token itself, so that only
-- whoever still has the token can have the answer again. Removed soon after; never part of a row that stays.
create table refresh_answer (
  token_hash bytea primary key,
  answer bytea not null,
  made_at timestamptz not null
) with (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0);

-- Wrong passwords and secrets of the last minutes; names are hashed, since people type passwords into them.
create table failed_attempt (
  failed_attempt_id bigint generated always as identity primary key,
  kind text not null,
  name_hash bytea not null,
  address text not null,
  made_at timestamptz not null
);
create index failed_attempt_name on failed_attempt (kind, name_hash, made_at);
create index failed_attempt_made on failed_attempt (made_at);
