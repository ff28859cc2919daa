-- Apps, their redirect URIs and secrets. A secret is checked by its hash; the sealed value only serves to list it.

create table app (
  app_key text primary key,
  -- Null: the service's own app, which belongs to nobody.
  client_key text references client on delete cascade deferrable initially deferred,
  name text not null,
  description text not null,
  flow text not null check (flow in ('Code', 'PKCE', 'Implicit')),
  is_active boolean not null default true,
  status text not null default 'OK' check (status in ('OK', 'Pending', 'PendingUserApprovalCheck')),
  online_level text not null default 'Read' check (online_level in ('None', 'Read', 'Trade')),
  offline_level text not null default 'Read' check (offline_level in ('None', 'Read', 'Trade')),
  created_by text references service_user on delete set null deferrable initially deferred,
  created_at timestamptz not null
);
create index app_client on app (client_key, created_at desc);

create table redirect_uri (
  redirect_uri_id bigint generated always as identity primary key,
  app_key text not null references app on delete cascade deferrable initially deferred,
  uri text not null,
  label text,
  description text,
  unique (app_key, uri)
);

create table app_secret (
  secret_id bigint generated always as identity primary key,
  app_key text not null references app on delete cascade deferrable initially deferred,
  secret_sha256 bytea not null,
  secret_sealed bytea,
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  last_used_at timestamptz
);
create index app_secret_app on app_secret (app_key);
