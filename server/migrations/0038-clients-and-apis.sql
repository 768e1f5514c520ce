-- What a client's tokens carry, and for whom they are.
alter table clients
  -- The clients of before were built against ID tokens without names.
  add column id_token_claims boolean not null default false,
  add column api_uri text unique,
  add column api_token text not null default 'jwt' check (api_token in ('jwt', 'opaque')),
  add column apis text[] not null default '{}',
  add column directory_access boolean not null default false,
  add constraint apis_can_authenticate check (
    token_endpoint_auth_method <> 'none' or (api_uri is null and not directory_access));
comment on column clients.api_uri is 'The service is an API: tokens for it have this audience (RFC 8707).';
comment on column clients.apis is 'The APIs that this client may ask tokens for.';
comment on column clients.directory_access is 'May read /api/v1: the people who have its service.';
