-- What a super user chooses for the client of a service.
alter table clients
  add column kind text not null default 'web' check (kind in ('web', 'singlePage', 'native', 'machine')),
  add column jwks_uri text,
  add column pkce_required boolean not null default true check (pkce_required or token_endpoint_auth_method <> 'none'),
  add column scopes text[] not null default '{openid,profile,email,phone,organizations}',
  add column access_minutes integer not null default 15 check (access_minutes between 1 and 60),
  add column id_minutes integer not null default 60 check (id_minutes between 1 and 1440),
  -- Null: as long as the session.
  add column refresh_hours integer check (refresh_hours between 1 and 720),
  add column secret_created_at timestamptz,
  add column secret_used_at timestamptz,
  add column previous_secret_sealed bytea,
  add column previous_secret_created_at timestamptz,
  add column previous_secret_used_at timestamptz,
  add column previous_secret_ends_at timestamptz,
  add constraint previous_secret_ends check ((previous_secret_sealed is null) = (previous_secret_ends_at is null)),
  drop constraint client_can_authenticate,
  add constraint client_can_authenticate check (
    token_endpoint_auth_method = 'none'
    or (token_endpoint_auth_method like 'client\_secret\_%' and secret_sealed is not null)
    or (token_endpoint_auth_method = 'private_key_jwt' and (jwks is null) <> (jwks_uri is null)));
update clients set secret_created_at = created_at where secret_sealed is not null;
comment on column clients.previous_secret_sealed is 'While a secret is changed the one before it works, too, until previous_secret_ends_at.';
