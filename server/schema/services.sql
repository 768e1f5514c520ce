-- Services, the organisations that have them, and the OpenID Connect clients by which people reach them.

create table services (
  service_id uuid primary key,
  name text collate "sv-x-icu" not null check (name <> ''),
  url text not null check (url ~ '^https?://'),
  description text check (description <> ''),
  category text collate "sv-x-icu" check (category <> ''),
  icon text check (icon <> ''),
  icon_png bytea,
  requestable boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint icon_png_has_address check ((icon_png is not null) = (icon like '/%'))
);
comment on column services.icon is 'The name of a glyph, or the address of icon_png, which holds its hash.';
comment on column services.requestable is 'Members of an organisation that has the service may ask its admins for access.';
create index services_by_name on services (name, service_id);
create index services_by_icon on services (icon) where icon_png is not null;

create table service_categories (
  name text collate "sv-x-icu" primary key check (name <> ''),
  position integer not null
);
comment on table service_categories is 'The order of the groups in the launcher. A category that is missing here comes after these, by name.';

create table organization_services (
  organization_id uuid not null references organizations on delete cascade,
  service_id uuid not null references services on delete cascade,
  max_number_of_users integer check (max_number_of_users > 0),
  seats_used integer not null default 0 check (seats_used >= 0),
  at_first_sign_in boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organization_id, service_id),
  constraint seats check (max_number_of_users is null or seats_used <= max_number_of_users)
);
comment on column organization_services.seats_used is
  'Kept by the trigger on service_assignments. Counting in the row that holds the limit lets the database decide who gets the last seat.';
comment on column organization_services.at_first_sign_in is 'People who are created when they sign in get it while seats last.';
create index organization_services_by_service on organization_services (service_id);

create table clients (
  client_id text collate "C" primary key,
  service_id uuid references services on delete cascade,
  name text not null,
  kind text not null default 'web' check (kind in ('web', 'singlePage', 'native', 'machine')),

  -- Addresses.
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null default '{}',
  backchannel_logout_uri text,
  frontchannel_logout_uri text,
  initiate_login_uri text,

  -- How the client proves who it is.
  token_endpoint_auth_method text not null default 'client_secret_basic',
  pkce_required boolean not null default true check (pkce_required or token_endpoint_auth_method <> 'none'),
  secret_sealed bytea,
  secret_created_at timestamptz,
  secret_made_by uuid,
  secret_used_at timestamptz,
  previous_secret_sealed bytea,
  previous_secret_created_at timestamptz,
  previous_secret_used_at timestamptz,
  previous_secret_ends_at timestamptz,
  jwks jsonb,
  jwks_uri text,

  -- What its tokens carry, for whom they are, and how long they live.
  scopes text[] not null default '{openid,profile,email,phone,organizations}',
  id_token_claims boolean not null default false,
  id_token_algorithm text not null default 'RS256' check (id_token_algorithm in ('RS256', 'ES256')),
  pairwise boolean not null default false,
  subject_salt bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  personal_number_reason text,
  access_minutes integer not null default 15 check (access_minutes between 1 and 60),
  id_minutes integer not null default 60 check (id_minutes between 1 and 1440),
  refresh_hours integer check (refresh_hours between 1 and 720),

  -- APIs.
  api_uri text unique,
  api_token text not null default 'jwt' check (api_token in ('jwt', 'opaque')),
  apis text[] not null default '{}',
  directory_access boolean not null default false,

  version integer not null default 1,
  last_sign_in timestamptz,
  created_at timestamptz not null default now(),
  constraint client_can_authenticate check (
    token_endpoint_auth_method = 'none'
    or (token_endpoint_auth_method like 'client\_secret\_%' and secret_sealed is not null)
    or (token_endpoint_auth_method = 'private_key_jwt' and (jwks is null) <> (jwks_uri is null))),
  constraint previous_secret_ends check ((previous_secret_sealed is null) = (previous_secret_ends_at is null)),
  constraint apis_can_authenticate check (
    token_endpoint_auth_method <> 'none' or (api_uri is null and not directory_access))
);
comment on table clients is 'OpenID Connect clients of the services; the portal''s own client is in the code.';
comment on column clients.frontchannel_logout_uri is
  'Opened in a hidden frame where somebody signs out in the browser (OpenID Connect Front-Channel Logout).';
comment on column clients.initiate_login_uri is 'Where the launcher starts a sign-in at the service (OpenID Connect Core, 4).';
comment on column clients.secret_made_by is
  'Who has read the present secret, so that it is changed when they go. The client has the rights of its service, not theirs.';
create index clients_by_secret_maker on clients (secret_made_by) where secret_made_by is not null;
comment on column clients.previous_secret_sealed is 'While a secret is changed the one before it works, too, until previous_secret_ends_at.';
comment on column clients.id_token_algorithm is
  'How its ID tokens and logout tokens are signed: discovery offers both, and a client is told of one (Registration 2).';
comment on column clients.pairwise is '`sub` is another for each service, so that two services cannot compare people.';
comment on column clients.subject_salt is 'Of the pairwise `sub`: it never changes, and no key rotation touches it.';
comment on column clients.personal_number_reason is
  'Why the service may get personal identity numbers (scope personal_identity_number); null: it may not.';
comment on column clients.refresh_hours is 'Null: as long as the session.';
comment on column clients.api_uri is 'The service is an API: tokens for it have this audience (RFC 8707).';
comment on column clients.apis is 'The APIs that this client may ask tokens for.';
comment on column clients.last_sign_in is 'When somebody last signed in by it, to the hour. Trials do not count.';
comment on column clients.directory_access is 'May read /api/v1: the people who have its service.';
create index clients_by_service on clients (service_id);
