-- Names sort by the Swedish alphabet on every supported database: the ICU collation is named on the column.

create function is_login_method(value text) returns boolean
  language sql immutable parallel safe
  return value in ('bankid', 'local', 'saml', 'local2FA');

create table saml_configs (
  id integer generated always as identity primary key,
  name text collate "sv-x-icu" not null check (name <> ''),
  url text not null check (url ~ '^https?://'),
  domain text not null check (domain ~ '^https?://'),
  mail_domain text not null generated always as (lower(substring(domain from '^https?://([^/:?#]+)'))) stored,
  entity_id text check (entity_id <> ''),
  certificate text not null check (certificate <> ''),
  want_assertions_signed boolean,
  want_authn_response_signed boolean,
  request_signing_enabled boolean,
  version integer not null default 1,
  created_at timestamptz not null default now()
);
comment on column saml_configs.mail_domain is 'People with an address in this domain, or below it, are sent to this sign-in.';
create index saml_configs_by_mail_domain on saml_configs (mail_domain);

create table organizations (
  organization_id uuid primary key,
  name text collate "sv-x-icu" not null check (name <> ''),
  organization_number text check (organization_number <> ''),
  login_method text not null check (is_login_method(login_method)),
  saml_config_id integer references saml_configs on delete restrict,
  max_passive_days integer not null default 180 check (max_passive_days between 1 and 36500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint organization_saml_config_required check (login_method <> 'saml' or saml_config_id is not null)
);
create index organizations_by_name on organizations (name, organization_id);
create index organizations_by_saml_config on organizations (saml_config_id);

create table services (
  service_id uuid primary key,
  name text collate "sv-x-icu" not null check (name <> ''),
  url text not null check (url ~ '^https?://'),
  version integer not null default 1,
  created_at timestamptz not null default now()
);
create index services_by_name on services (name, service_id);

create table organization_services (
  organization_id uuid not null references organizations on delete cascade,
  service_id uuid not null references services on delete cascade,
  max_number_of_users integer check (max_number_of_users > 0),
  seats_used integer not null default 0 check (seats_used >= 0),
  primary key (organization_id, service_id),
  constraint seats check (max_number_of_users is null or seats_used <= max_number_of_users)
);
comment on column organization_services.seats_used is
  'Kept by the trigger on service_assignments. Counting in the row that holds the limit lets the database decide who gets the last seat.';
create index organization_services_by_service on organization_services (service_id);
