create table sessions (
  id_hash bytea primary key,
  uid text collate "C" not null,
  account_id uuid references users on delete cascade,
  auth_epoch integer,
  authenticated_at timestamptz,
  user_agent text,
  ip inet,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint session_uid_unique unique (uid)
);
comment on column sessions.id_hash is 'SHA-256 of the cookie''s value: a dump of the database holds no live session.';
comment on column sessions.auth_epoch is 'The account''s auth_epoch at sign-in; the session is dead as soon as the two differ.';
create index sessions_by_account on sessions (account_id, last_used_at);
create index sessions_expired on sessions (expires_at);

create table provider_artifacts (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  grant_id text collate "C",
  uid text collate "C",
  user_code text collate "C",
  account_id uuid references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id_hash)
);
create index provider_artifacts_by_grant on provider_artifacts (grant_id);
create index provider_artifacts_by_uid on provider_artifacts (model, uid);
create index provider_artifacts_by_account on provider_artifacts (account_id);
create index provider_artifacts_expired on provider_artifacts (expires_at);

create table clients (
  client_id text collate "C" primary key,
  service_id uuid references services on delete cascade,
  name text not null,
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null default '{}',
  backchannel_logout_uri text,
  token_endpoint_auth_method text not null default 'client_secret_basic',
  secret_sealed bytea,
  jwks jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint client_can_authenticate check (
    token_endpoint_auth_method = 'none' or (token_endpoint_auth_method like 'client\_secret\_%' and secret_sealed is not null)
    or (token_endpoint_auth_method = 'private_key_jwt' and jwks is not null))
);
comment on table clients is 'OpenID Connect clients of the services; the portal''s own client is in the code.';
create index clients_by_service on clients (service_id);
