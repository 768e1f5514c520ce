-- shared.sql

-- What several rooms use.

-- Trusted: the owner of the database may create it.
create extension if not exists pg_trgm;

create function is_login_method(value text) returns boolean
  language sql immutable parallel safe
  return value in ('bankid', 'local', 'local2FA', 'saml');

-- One form for what is stored and what is typed: lower case, composed.
create function folded(value text) returns text language sql immutable strict parallel safe
  return normalize(lower(value collate "sv-x-icu"), NFC);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Everything that gives access may begin and end with a day, both included. Queries ask, so no job has to run for an end.
create function access_day() returns date language sql stable parallel safe
  return (now() at time zone 'Europe/Stockholm')::date;
comment on function access_day is 'The day that counts, in Sweden. Tests put another one in its place.';
create function is_current(valid_from date, valid_until date) returns boolean language sql stable parallel safe
  return coalesce(valid_from <= access_day(), true) and coalesce(valid_until >= access_day(), true);

-- saml-configs.sql

-- The sign-ins that organisations bring along, by SAML or OpenID Connect.

create table saml_configs (
  id integer generated always as identity primary key,
  name text collate "sv-x-icu" not null check (name <> ''),
  kind text not null default 'saml' check (kind in ('saml', 'oidc')),
  active boolean not null default true,
  url text not null check (url ~ '^https?://'),
  domain text not null check (domain ~ '^https?://'),
  mail_domain text not null generated always as (lower(substring(domain from '^https?://([^/:?#]+)'))) stored,
  asserts_numbers boolean not null default false,

  -- SAML: signatures, encryption and the clock.
  entity_id text check (entity_id <> ''),
  certificate text not null,
  want_assertions_signed boolean,
  want_authn_response_signed boolean,
  request_signing_enabled boolean,
  encryption_enabled boolean not null default false,
  cbc_allowed boolean not null default false,
  clock_skew_seconds integer not null default 30 check (clock_skew_seconds between 0 and 300),

  -- SAML: what is asked for, and what the answer says.
  post_requests boolean not null default false,
  authn_contexts text,
  name_id_format text check (name_id_format in ('emailAddress', 'persistent', 'transient', 'unspecified')),
  name_id_is_email boolean not null default false,
  email_attribute text,
  first_name_attribute text,
  last_name_attribute text,
  ssn_attribute text,

  -- SAML: sign-outs.
  logout_url text check (logout_url ~ '^https?://'),
  logout_response_url text check (logout_response_url ~ '^https?://'),
  post_logout boolean not null default false,

  -- OpenID Connect.
  client_id text,
  client_key boolean not null default false,
  client_secret_sealed bytea,
  client_secret_set_at timestamptz,

  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint saml_config_of_its_kind check (
    case kind
      when 'saml' then certificate <> '' and num_nonnulls(client_id, client_secret_sealed, client_secret_set_at) = 0
        and not client_key
      else certificate = '' and client_id <> ''
        and num_nulls(client_secret_sealed, client_secret_set_at) = case when client_key then 2 else 0 end
    end),
  constraint saml_config_cbc_signed check (not cbc_allowed or want_authn_response_signed is true)
);
comment on column saml_configs.active is 'Off: the portal sends nobody to this identity provider and takes no sign-in from it; a test sign-in works.';
comment on column saml_configs.url is 'SAML: the address for sign-in. OpenID Connect: the issuer.';
comment on column saml_configs.mail_domain is 'People with an address in this domain, or below it, are sent to this sign-in.';
comment on column saml_configs.asserts_numbers is 'A super user lets the company prove the personal numbers of its people.';
comment on column saml_configs.encryption_enabled is 'Our metadata has a certificate for encryption. An encrypted assertion is taken either way.';
comment on column saml_configs.cbc_allowed is
  'Assertions that are encrypted by AES-CBC are decrypted, behind the verified signature of the whole response.';
comment on column saml_configs.clock_skew_seconds is 'By how much its clock may differ from ours.';
comment on column saml_configs.post_requests is 'The identity provider takes requests by HTTP-POST alone.';
comment on column saml_configs.authn_contexts is
  'Authentication context classes of which the identity provider must have used one, a line each. Null: any.';
comment on column saml_configs.name_id_format is 'The format of the NameID that is asked for. Null: any.';
comment on column saml_configs.name_id_is_email is 'The NameID is the address, whatever format it claims to have.';
comment on column saml_configs.email_attribute is 'The attribute with the address. Null: those that identity providers use, else the NameID.';
comment on column saml_configs.first_name_attribute is 'The attribute with the first name. Null: those that identity providers use.';
comment on column saml_configs.last_name_attribute is 'The attribute with the last name. Null: those that identity providers use.';
comment on column saml_configs.ssn_attribute is 'The attribute with the personal number. Null: those that identity providers use.';
comment on column saml_configs.logout_url is 'Where the identity provider takes sign-outs (HTTP-Redirect). Null: no single logout.';
comment on column saml_configs.logout_response_url is 'Where it takes the answers to its sign-outs (ResponseLocation). Null: where it takes sign-outs.';
comment on column saml_configs.post_logout is 'It takes sign-outs by HTTP-POST alone.';
comment on column saml_configs.client_id is 'What the organisation''s OpenID Provider calls this portal.';
comment on column saml_configs.client_key is
  'The portal proves who it is at the organisation''s OpenID Provider by its key (private_key_jwt), not by a secret.';
create index saml_configs_by_mail_domain on saml_configs (mail_domain);

-- The serving role has no right to the sequence of an identity column.
create function reserve_saml_config_id() returns integer language sql security definer
  set search_path = public, pg_temp
  as $$ select nextval(pg_get_serial_sequence('saml_configs', 'id'))::integer $$;

-- What such a company has proven becomes a claim when a super user no longer lets it, whichever call does that.
create function numbers_become_claims() returns trigger language plpgsql as $$
begin
  update users set ssn_proof = null, ssn_proven_at = null where saml_config_id = new.id and ssn_proof = 'company';
  return null;
end $$;
create trigger numbers_become_claims after update of asserts_numbers on saml_configs
  for each row when (old.asserts_numbers and not new.asserts_numbers) execute function numbers_become_claims();

create table saml_domains (
  saml_config_id integer not null references saml_configs on delete cascade,
  domain text not null check (domain = lower(domain) and position('.' in domain) > 0),
  token text not null,
  added_at timestamptz not null,
  proof text check (proof in ('dns', 'confirmed')),
  proven_at timestamptz,
  reason text,
  primary key (saml_config_id, domain),
  check ((proof is null) = (proven_at is null)),
  check ((proof is not distinct from 'confirmed') = (reason is not null))
);
comment on table saml_domains is 'Mail domains of a configuration beside its own. Only those with a proof count.';
comment on column saml_domains.token is 'What the TXT record of the domain has to say.';
-- It counts for one configuration. That of another one may wait, and then finds it taken.
create unique index saml_domain_taken on saml_domains (domain) where proof is not null;

create view saml_mail_domains as
  select id as saml_config_id, mail_domain from saml_configs
  union all
  select saml_config_id, domain from saml_domains where proof is not null;
comment on view saml_mail_domains is
  'People with an address in one of these domains, or below it, are sent to the sign-in of the configuration.';
-- Privileges are granted on tables; nothing in a view is secret from the roles of this database.
grant select on saml_mail_domains to public;

create table saml_metadata_watches (
  saml_config_id integer primary key references saml_configs on delete cascade,
  address text not null check (address ~ '^https?://'),
  checked_at timestamptz,
  problem text,
  certificates text not null default '',
  signer text
);
comment on table saml_metadata_watches is 'Where identity providers publish their metadata, and what it said when it was last read.';
comment on column saml_metadata_watches.problem is 'The key of a message. Null: it was read.';
comment on column saml_metadata_watches.certificates is 'PEM. Those that the configuration does not have count only once a super user has confirmed them.';
comment on column saml_metadata_watches.signer is
  'PEM: the certificates that the metadata must be signed with, as of a federation. Null: its signature is not checked.';

create table certificate_warnings (
  saml_config_id integer not null references saml_configs on delete cascade,
  valid_to timestamptz not null,
  days_before smallint not null check (days_before in (60, 30, 7, 1)),
  primary key (saml_config_id, valid_to, days_before)
);
comment on table certificate_warnings is
  'Mails to super users about the end of the certificates of a configuration; each is sent once. A new certificate has another end.';

create table saml_sign_ins (
  id uuid primary key,
  saml_config_id integer not null references saml_configs on delete cascade,
  created_at timestamptz not null,
  email text,
  failure text,
  detail text,
  reference text not null,
  created boolean not null default false
);
comment on table saml_sign_ins is 'Kept for KEEP_SAML_SIGN_INS_DAYS. Audit events say the same for longer, but not to look for a reference in.';
comment on column saml_sign_ins.failure is 'Null: accepted.';
comment on column saml_sign_ins.email is 'As the answer names the person, or as it was typed.';
comment on column saml_sign_ins.created is 'The account was created by this sign-in.';
create index saml_sign_ins_by_config on saml_sign_ins (saml_config_id, created_at desc, id desc);
create index saml_sign_ins_by_time on saml_sign_ins (created_at);

-- organizations.sql

-- Organisations, what they show their members, and the links by which their IT prepares their sign-in.

-- Names sort by the Swedish alphabet on every supported database: the ICU collation is named on the column.
create table organizations (
  organization_id uuid primary key,
  name text collate "sv-x-icu" not null check (name <> ''),
  organization_number text check (organization_number <> ''),
  search text collate "C" not null
    generated always as (folded(name || E'\n' || coalesce(organization_number, ''))) stored,
  login_method text not null check (is_login_method(login_method)),
  require_login_method boolean not null default false,
  saml_config_id integer references saml_configs on delete restrict,
  create_at_sign_in boolean not null default false,
  second_factors text[] check (second_factors <> '{}' and second_factors <@ array['passkey', 'app', 'sms', 'email']),
  strong_admins_from date,
  session_idle_minutes integer check (session_idle_minutes between 5 and 1440),
  session_max_hours integer check (session_max_hours between 1 and 168),
  max_password_age_days integer check (max_password_age_days between 30 and 3650),
  guest_days integer default 180 check (guest_days between 1 and 3650),
  max_passive_days integer not null default 180 check (max_passive_days between 1 and 36500),
  sender_name text check (sender_name <> ''),
  reply_to text check (reply_to <> ''),
  member_count integer not null default 0 check (member_count >= 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint organization_saml_config_required check (login_method not in ('saml') or saml_config_id is not null)
);
comment on column organizations.require_login_method is
  'Everybody in the organisation must meet its sign-in method, also those whose account it opened.';
comment on column organizations.create_at_sign_in is
  'Unknown people with an address in a domain of its organisation sign-in become members when they sign in.';
comment on column organizations.second_factors is 'Those that count where the sign-in method asks for one; null: all.';
comment on column organizations.strong_admins_from is
  'From this day in Sweden its admins must have signed in with a passkey or security key, or BankID; null: never.';
comment on column organizations.guest_days is 'After so many days the membership of a guest or consultant ends; null: when somebody says so.';
comment on column organizations.session_idle_minutes is 'Shortens the sessions of its people; null: as the portal has it.';
comment on column organizations.sender_name is 'The name that mails of the organisation come from; the address stays the portal''s.';
comment on column organizations.member_count is 'Kept by the triggers on memberships.';
create index organizations_by_name on organizations (name, organization_id);
create index organizations_by_number on organizations (organization_number, organization_id);
create index organizations_by_saml_config on organizations (saml_config_id);
-- Of several organisations with one configuration nobody could say which one a person belongs to.
create unique index organizations_create_at_sign_in on organizations (saml_config_id) where create_at_sign_in;

create table organization_brands (
  organization_id uuid primary key references organizations on delete cascade,
  hue smallint check (hue between 0 and 359),
  logo text,
  logo_image bytea,
  dark_logo text,
  dark_logo_image bytea,
  sign_in_host text collate "C" check (sign_in_host <> ''),
  constraint sign_in_host_taken unique (sign_in_host),
  constraint logo_has_image check ((logo is null) = (logo_image is null) and (dark_logo is null) = (dark_logo_image is null)),
  constraint dark_logo_beside_logo check (dark_logo is null or logo is not null)
);
comment on table organization_brands is 'What an organisation shows its people: at sign-in, in the launcher and in mails.';
comment on column organization_brands.hue is 'Degrees; every colour of the accent follows from it.';
comment on column organization_brands.logo is 'The address of logo_image, which holds its hash.';
comment on column organization_brands.sign_in_host is 'A host name that leads to the sign-in with this brand, and does nothing else.';
create index organization_brands_by_logo on organization_brands (logo) where logo is not null;
create index organization_brands_by_dark_logo on organization_brands (dark_logo) where dark_logo is not null;

create table notices (
  notice_id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  message text not null check (message <> ''),
  starts_on date not null,
  ends_on date,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint notice_ends_after_start check (ends_on >= starts_on)
);
comment on table notices is 'Shown above the launcher: to the members of one organisation, or without one to everyone.';
comment on column notices.ends_on is 'The last day, in Swedish time; without one the notice stays.';
create index notices_by_organization on notices (organization_id);

-- services.sql

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

-- people.sql

-- Accounts, the names that they had, and what is kept about accounts that nobody uses.

create table users (
  account_id uuid primary key,
  email text collate "C" not null,
  first_name text collate "sv-x-icu",
  last_name text collate "sv-x-icu",
  preferred_language text check (preferred_language in ('en', 'sv', 'fi', 'fr')),
  super_user boolean not null default false,
  has_portal_role boolean not null default false,
  operates boolean not null generated always as (super_user or has_portal_role) stored,
  operates_since timestamptz,
  pending boolean not null default false,
  opened_for uuid references organizations on delete set null,

  -- What is proven of the person.
  email_proven_at timestamptz,
  email_proof text check (email_proof in ('mailedLink', 'mailedCode', 'samlDomain', 'operator')),
  phone_number text check (phone_number ~ '^\+46[0-9]{7,13}$'),
  phone_proven_at timestamptz,
  phone_changed_at timestamptz,
  phone_claim text check (phone_claim in ('password', 'admin')),
  phone_entered_at timestamptz,
  ssn_sealed bytea,
  ssn_index bytea,
  ssn_proven_at timestamptz,
  ssn_proof text check (ssn_proof in ('bankid', 'company')),
  ssn_claim text check (ssn_claim in ('password', 'admin')),
  ssn_entered_at timestamptz,

  -- How the person signs in.
  login_method text not null check (is_login_method(login_method)),
  saml_config_id integer references saml_configs on delete restrict,
  password_hash text,
  password_must_change boolean not null default false,
  password_changed_at timestamptz,
  sign_in_locked_at timestamptz,
  usual_factor text check (usual_factor in ('passkey', 'app', 'sms', 'email')),
  must_enrol boolean not null default false,
  password_from_mail boolean not null default false,
  mail_refused text check (mail_refused in ('owner', 'notMe', 'taken')),
  browsers_known_from timestamptz,
  auth_epoch integer not null default 1,

  -- When the person was last here.
  last_login timestamptz,
  last_active timestamptz,
  idle_since date generated always as ((coalesce(last_active, created_at) at time zone 'Europe/Stockholm')::date) stored,
  max_passive_days integer check (max_passive_days between 1 and 36500),
  passive_at timestamptz,

  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint user_email_unique unique (email),
  constraint user_email_canonical check (email = lower(email) and length(email) between 3 and 254),
  -- The operator's word is no proof, and has no time of one.
  constraint user_email_proof_whole check ((email_proven_at is null) = (coalesce(email_proof, 'operator') = 'operator')),
  constraint user_names check (pending or (first_name <> '' and last_name <> '')),
  constraint user_ssn_whole check ((ssn_sealed is null) = (ssn_index is null)),
  constraint user_ssn_proof_whole check (
    (ssn_proof is null) = (ssn_proven_at is null) and (ssn_proof is null or ssn_index is not null)),
  constraint user_saml_config_required check (login_method not in ('saml') or saml_config_id is not null),
  constraint user_password_is_local check (password_hash is null or login_method in ('local', 'local2FA')),
  constraint user_super_is_never_passive check (not super_user or passive_at is null),
  constraint user_super_has_no_portal_role check (not super_user or not has_portal_role),
  constraint user_operates_is_proven check (email_proof is not null or not operates),
  -- A company's sign-in never lets in who works for the operator.
  constraint user_operates_is_never_saml check (login_method not in ('saml') or not operates)
);
comment on column users.browsers_known_from is
  'A browser that became known before is new again: the owner has said that somebody else was in the account, or reset the password by mail.';
comment on column users.opened_for is
  'The organisation whose invitation or own sign-in opened the account; null for one that a super user added.';
comment on column users.email_proof is
  'How the person proved to read mail at this address. "operator": a super user, by the word of who runs the portal; no proof to others.';
comment on column users.phone_changed_at is 'A code that was sent to the number before proves nothing about this one.';
comment on column users.phone_claim is
  'Whose word alone the number is, which gets no codes. "password": entered in a session that had proven no more, as a stolen password would bring its own phone. "admin": by anybody else. Null: the owner, with more than a password.';
comment on column users.ssn_claim is
  'Likewise the personal number. BankID proves the person, but is no fresh proof and stands in for no factor; with "password" it raises no session either.';
comment on column users.phone_entered_at is
  'When somebody entered the number, or the account page took its confirmation. "This was not me" makes one that came since the word of a password alone.';
comment on column users.ssn_entered_at is 'Likewise the personal number.';
comment on column users.ssn_sealed is 'Personal identity number, AES-256-GCM; the key id is in the sealed value.';
comment on column users.ssn_index is 'HMAC of the personal number: finds it, and keeps proven ones unique, without decrypting it.';
comment on column users.ssn_proof is
  'A number is a claim until BankID, or a company''s sign-in that may assert numbers, has proven it. The writers of the number clear it.';
comment on column users.has_portal_role is
  'Has a role in the portal, on whatever days: a copy that a trigger on all_grants keeps, for the constraints of this table.';
comment on column users.operates is
  'Works for the operator: no organisation sees that, or reaches the account. Also while the portal role is to begin or has ended, as a stroke extends it.';
comment on column users.operates_since is 'In production a second factor is demanded some days later.';
comment on column users.usual_factor is
  'The second factor that sign-in asks for first. Without one, an account with the method local2FA is sent a code by mail, and one with local has none.';
comment on column users.must_enrol is 'The second factors were taken off, by the help of an admin or with what a stranger did: the person chooses one before anything else, and until then is sent a code by mail.';
comment on column users.password_from_mail is
  'The password was reset by mail, or a directory moved the address, and no other factor was proven since: a code by mail would prove the mailbox twice.';
comment on column users.mail_refused is
  'No code goes by mail. "owner": switched off, while there is something stronger. "notMe": the button in a mail took a factor off, until something stronger is proven or an admin helps, as the mailbox alone would take it off and sign in. "taken": somebody else changed a number that counted, until the person has signed in with the old password; no code goes by mail after a reset.';
comment on column users.auth_epoch is 'Raised to end every session of the account at once, on every node.';
comment on column users.idle_since is 'The day, in Sweden, when the person was last active, or the account was created.';
comment on column users.sign_in_locked_at is 'The owner has said that somebody else signed in: refused until the password is reset by mail. Only of accounts with a password.';
comment on column users.passive_at is 'Set when the person was away for too long: sign-in is refused until someone updates last_active.';
-- Claims are not unique: anybody may type another person's number, which must lock nobody out (product-rules 11.8).
create unique index user_proven_ssn on users (ssn_index) where ssn_proof is not null;
create index user_ssn on users (ssn_index) where ssn_index is not null;
create index users_by_saml_config on users (saml_config_id);
create index users_by_opened_for on users (opened_for) where opened_for is not null;
-- A sign-in page looks at the oldest accounts of a mail domain, however many a free-mail provider has.
create index users_by_mail_domain on users (split_part(email, '@', 2), account_id);
create index super_users on users (account_id) where super_user and not pending;
create index operating_users on users (account_id) where operates;
-- For the filters of the lists. idle_since is a day, so that the minutes of last_active stay out of every index.
create index users_by_idle_since on users (idle_since, account_id) include (passive_at);
create index users_with_own_limit on users (account_id) where max_passive_days is not null;
create index users_by_login_method on users (login_method);
-- Finds what filters ask without the wide row of the table.
create index users_by_what_filters_ask on users (account_id) include (login_method, idle_since);
-- The few accounts that filters find or leave out.
create index unusual_users on users (account_id) include (pending, passive_at, super_user, login_method, idle_since)
  where pending or passive_at is not null or super_user;

create function keep_a_super_user() returns trigger language plpgsql as $$
begin
  if old.super_user and not old.pending and (tg_op = 'DELETE' or not new.super_user or new.pending) then
    -- Two that step down at once would each still see the other: they take turns.
    perform pg_advisory_xact_lock(hashtext('keep_a_super_user'));
    if not exists (select from users where super_user and not pending) then
      raise exception 'the last super user stays' using errcode = 'check_violation', constraint = 'last_super_user';
    end if;
  end if;
  return null;
end $$;
create trigger keep_a_super_user after delete or update of super_user, pending on users
  for each row execute function keep_a_super_user();

create function note_operator() returns trigger language plpgsql as $$
begin
  new.operates_since := case when new.super_user or new.has_portal_role then coalesce(new.operates_since, now()) end;
  return new;
end $$;
create trigger note_operator before insert or update of super_user, has_portal_role on users
  for each row execute function note_operator();

create function forget_phone_proof() returns trigger language plpgsql as $$
begin
  new.phone_proven_at := null;
  new.phone_changed_at := now();
  return new;
end $$;
create trigger phone_changed before update of phone_number on users
  for each row when (old.phone_number is distinct from new.phone_number) execute function forget_phone_proof();

create table former_names (
  account_id uuid not null,
  email text not null,
  first_name text,
  last_name text,
  until timestamptz not null default now(),
  search text collate "C" not null generated always as (folded(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored
);
comment on table former_names is 'Names that people had until they were renamed or deleted: events from before keep them.';
create index former_names_by_account on former_names (account_id, until);

create function keep_former_name() returns trigger language plpgsql as $$
begin
  if old.first_name is not null or old.last_name is not null then
    insert into former_names (account_id, email, first_name, last_name)
      values (old.account_id, old.email, old.first_name, old.last_name);
  end if;
  return null;
end $$;
create trigger keep_name_of_renamed after update of first_name, last_name on users for each row
  when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function keep_former_name();
create trigger keep_name_of_deleted after delete on users for each row execute function keep_former_name();

create table passive_warnings (
  account_id uuid primary key references users on delete cascade,
  days_before smallint not null check (days_before in (14, 1, 0)),
  active_since timestamptz not null,
  sent_at timestamptz not null
);
comment on table passive_warnings is 'The latest warning before an account becomes passive; the nightly job sends each once.';
comment on column passive_warnings.days_before is '0: super users were warned, because the person is an organisation''s last admin.';
comment on column passive_warnings.active_since is
  'When the person was last active, or the account was created: the warning is void once the person is active again.';

create table data_copies (
  account_id uuid primary key references users on delete cascade,
  copy_id uuid not null unique,
  requested_at timestamptz not null,
  ready_at timestamptz,
  sealed bytea,
  constraint ready_with_content check ((ready_at is null) = (sealed is null))
);
comment on table data_copies is 'What a person asked to have: a copy of the own data, made by a job and removed after some days. A new request replaces it.';
comment on column data_copies.sealed is 'JSON, AES-256-GCM.';
create index data_copies_by_time on data_copies (ready_at);

alter table clients add constraint secret_maker foreign key (secret_made_by) references users on delete set null;

-- memberships.sql

-- Who belongs to which organisation, and how.

create table memberships (
  account_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  user_role text not null default 'regular' check (user_role in ('regular', 'organizationAdmin')),
  entry text not null default 'joined' check (entry in ('opened', 'joined', 'guest')),

  -- First and last day of the membership, and of the admin role within it.
  valid_from date,
  valid_until date,
  role_from date,
  role_until date,
  role_since timestamptz not null default now(),

  -- Copies that triggers keep: an organisation's list is read in order from an index, and filtered in it.
  email text collate "sv-x-icu" not null default '',
  first_name text collate "sv-x-icu" not null default '',
  last_name text collate "sv-x-icu" not null default '',
  login_method text,
  idle_since date,

  version integer not null default 1 + floor(random() * 1000000)::integer,
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id),
  constraint membership_period check (valid_until >= valid_from),
  constraint role_period check (role_until >= role_from),
  constraint regular_role_has_no_period check (user_role <> 'regular' or (role_from is null and role_until is null))
);
comment on column memberships.entry is
  '"opened": by the invitation that opened the account; "joined": with an existing account, so that the organisation''s sign-in method is the floor; "guest": likewise, with the own sign-in in an organisation with organisation sign-in.';
comment on column memberships.role_since is
  'When the role or one of the days was last set, which a trigger keeps: a new admin does not yet confirm what another one asked for.';
comment on column memberships.email is 'A copy that triggers keep, as the names are: an organisation''s list is read in order from an index.';
comment on column memberships.login_method is 'A copy that triggers keep, as idle_since is. It changes once a day, so it stands in one index only.';
comment on column memberships.version is
  'Raised with each change of role or services in this organisation. Random at first, so that a membership that ended and began again has another one.';
create index memberships_by_organization on memberships (organization_id, account_id) include (login_method, idle_since);
create index memberships_by_email on memberships (organization_id, email, account_id);
create index memberships_by_first_name on memberships (organization_id, first_name, account_id);
create index memberships_by_last_name on memberships (organization_id, last_name, account_id);
create index organization_admins on memberships (account_id) where user_role = 'organizationAdmin';
-- What ends soon, or has ended. Its condition follows from any comparison of the same expression, so that the planner sees it.
create index memberships_by_end on memberships (least(valid_until, role_until), organization_id)
  where least(valid_until, role_until) is not null;

create view current_memberships as
  select account_id, organization_id,
    case when is_current(role_from, role_until) then user_role else 'regular' end as user_role,
    entry, valid_from, valid_until, role_from, role_until, email, first_name, last_name, login_method, idle_since, version, created_at
  from memberships where is_current(valid_from, valid_until);
comment on view current_memberships is
  'Who belongs to an organisation today, and with which role. Whatever gives access reads this; the table is for those who administer.';
grant select on current_memberships to public;

-- Someone who joined with an existing account meets the organisation's sign-in method as a floor (product-rules 11.4).
-- Whether a session that has proven these methods (amr, RFC 8176) may enter: one place says so, to every query. What
-- meets what stands in contract/sign-in-methods.ts.
create function meets_floor(
  entry text, required boolean, login_method text, organization_saml integer, account_saml integer,
  user_role text, second_factors text[], strong_admins_from date, amr jsonb
) returns boolean language sql stable parallel safe
  return coalesce(case
    when login_method in ('local', 'local2FA') and user_role = 'organizationAdmin'
      and strong_admins_from <= (now() at time zone 'Europe/Stockholm')::date then amr ?| array['pop', 'swk']
    when login_method = 'local2FA' and second_factors is not null
      then amr ?| (array_replace(second_factors, 'passkey', 'pop') || array['swk'])
    when entry = 'opened' and not required then true
    when login_method = 'bankid' then amr ?| array['swk']
    when login_method = 'local' then true
    when login_method = 'local2FA' then amr ?| array['otp', 'pop', 'swk']
    when login_method = 'saml' then entry = 'guest' or (amr ?| array['fed'] and organization_saml = account_saml)
  end, false);

-- Whether an organisation of a person wants passwords to be younger than this one.
create function password_is_old(account uuid, changed_at timestamptz) returns boolean language sql stable parallel safe
  return exists (
    select from current_memberships m join organizations o on o.organization_id = m.organization_id
    where m.account_id = account and changed_at < now() - make_interval(days => o.max_password_age_days));

-- An account whose address nobody has proven serves the organisation that opened it and no other (product-rules 11.2). A super
-- user who knows that and says why sets email_proof to 'operator' first.
create function membership_needs_proof() returns trigger language plpgsql as $$
declare
  proof text;
begin
  select email_proof into proof from users where account_id = new.account_id for no key update;
  if proof is null and (new.entry <> 'opened' or exists (select from memberships where account_id = new.account_id)) then
    raise exception 'nobody has proven this address' using errcode = 'check_violation', constraint = 'membership_needs_proof';
  end if;
  return new;
end $$;
create trigger membership_needs_proof before insert on memberships
  for each row execute function membership_needs_proof();

create function note_new_role() returns trigger language plpgsql as $$
begin
  new.role_since := now();
  return new;
end $$;
create trigger note_new_role before update of user_role, valid_from, valid_until, role_from, role_until on memberships
  for each row when (row (old.user_role, old.valid_from, old.valid_until, old.role_from, old.role_until)
    is distinct from row (new.user_role, new.valid_from, new.valid_until, new.role_from, new.role_until))
  execute function note_new_role();

create table passive_reports (
  organization_id uuid not null,
  account_id uuid not null,
  primary key (organization_id, account_id),
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table passive_reports is 'Newly passive users of whom the admins of their organisation have not been told yet.';
create index passive_reports_by_account on passive_reports (account_id, organization_id);

-- groups.sql

-- Groups of an organisation: who is in them, and which services they give. What follows from that stands in group-access.sql.

create table groups (
  group_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text collate "sv-x-icu" not null check (name <> ''),
  folded_name text not null generated always as (folded(name)) stored,
  rule_attribute text check (rule_attribute <> ''),
  rule_value text check (rule_value <> ''),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint group_name_once unique (organization_id, folded_name),
  constraint group_of_organization unique (group_id, organization_id),
  constraint whole_group_rule check ((rule_attribute is null) = (rule_value is null))
);
comment on column groups.rule_attribute is
  'Of what the organisation''s own sign-in says: who signs in there with rule_value in it is in the group, until a sign-in without. Null: no rule.';
create index groups_with_rules on groups (organization_id) where rule_attribute is not null;

create table group_members (
  group_id uuid not null,
  organization_id uuid not null,
  account_id uuid not null,
  source text not null default 'hand' check (source in ('hand', 'rule', 'directory')),
  valid_from date,
  valid_until date,
  created_at timestamptz not null default now(),
  primary key (group_id, account_id, source),
  constraint group_member_period check (valid_until >= valid_from),
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade,
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table group_members is 'A row for each source: somebody is in the group while one is left.';
comment on column group_members.source is 'By an admin, by the group''s rule, or by the organisation''s directory: each takes out only what it gave.';
create index groups_of_member on group_members (account_id, organization_id);
create index group_members_by_end on group_members (valid_until) where valid_until is not null;

create table group_services (
  group_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  valid_from date,
  valid_until date,
  primary key (group_id, service_id),
  constraint group_service_period check (valid_until >= valid_from),
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table group_services is 'The services that a group gives to who is in it.';
create index groups_by_service on group_services (organization_id, service_id);
create index group_services_by_end on group_services (valid_until) where valid_until is not null;

create view group_grants as
  select m.account_id, organization_id, s.service_id, group_id, m.created_at as since,
    greatest(m.valid_from, s.valid_from) as valid_from, least(m.valid_until, s.valid_until) as valid_until,
    coalesce(least(m.valid_until, s.valid_until, (
      select p.valid_until from memberships p where p.account_id = m.account_id and p.organization_id = m.organization_id
    )) < access_day(), false) as has_ended
  from group_members m join group_services s using (group_id, organization_id);
comment on view group_grants is 'What groups give to whom, and when. Without a row in service_assignments it waits for a seat.';
grant select on group_grants to public;

-- saml-setups.sql

-- Links for the IT of an organisation.

create table saml_setups (
  setup_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  sign_in boolean not null,
  directory boolean not null,
  made_by uuid references users on delete set null,
  saml_config_id integer unique,
  state text not null default 'open' check (state in ('open', 'handedIn', 'approved', 'revoked')),
  draft jsonb,
  client_secret_sealed bytea,
  tested jsonb,
  rejection text check (rejection <> ''),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  handed_in_at timestamptz,
  version integer not null default 1,
  constraint handed_in_has_draft check (state not in ('handedIn', 'approved') or draft is not null),
  constraint setup_is_for_something check (sign_in or directory),
  constraint sign_in_has_number check (sign_in = (saml_config_id is not null))
);
comment on table saml_setups is
  'Links by which the IT of an organisation prepares its sign-in, connects its directory, or both, without an account.';
comment on column saml_setups.directory is 'The holder of the link may make a token for the directory.';
comment on column saml_setups.made_by is 'The link works while they still may what it does. Who sends the draft back takes their place.';
comment on column saml_setups.saml_config_id is
  'Reserved for the configuration that the draft becomes: the addresses that the IT enters on its side contain it.';
comment on column saml_setups.draft is 'What the metadata of the identity provider says, or what was given of an OpenID Provider.';
comment on column saml_setups.client_secret_sealed is 'The secret of a draft of OpenID Connect.';
comment on column saml_setups.tested is 'The last test sign-in with this draft: no personal data. Null after a change of the draft.';
comment on column saml_setups.rejection is 'Why a super user sent the last draft back.';
create index saml_setups_by_organization on saml_setups (organization_id);
create index saml_setups_by_maker on saml_setups (made_by) where made_by is not null;
create index saml_setups_by_expiry on saml_setups (expires_at);

-- scim.sql

-- The directories of organisations, which send their people by SCIM.

create table scim_tokens (
  token_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null check (name <> ''),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  warned_days smallint,
  setup_id uuid references saml_setups on delete set null,
  created_by uuid references users on delete set null,
  by_operator boolean not null default false,
  answers_for uuid references users on delete set null
);
comment on table scim_tokens is 'By which the directory of an organisation calls. The token itself is not stored.';
comment on column scim_tokens.warned_days is 'The last warning that was mailed: so many days before the end.';
comment on column scim_tokens.setup_id is 'The set-up link by which the IT of the organisation made it.';
comment on column scim_tokens.created_by is 'Who made it, or the set-up link by which it was made.';
comment on column scim_tokens.by_operator is 'The maker worked for the operator then, whose name no customer learns.';
comment on column scim_tokens.answers_for is
  'Whose right it has: the maker, until an admin confirms it. When they may no longer, it brings in nobody and changes nobody with rights (token_stands).';
create index scim_tokens_by_maker on scim_tokens (created_by) where created_by is not null;
create index scim_tokens_by_answering on scim_tokens (answers_for) where answers_for is not null;
create index scim_tokens_by_setup on scim_tokens (setup_id) where setup_id is not null;
create index scim_tokens_by_organization on scim_tokens (organization_id);
create index scim_tokens_by_end on scim_tokens (expires_at);

create table scim_users (
  scim_user_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_name text not null check (user_name <> ''),
  user_name_folded text collate "C" not null generated always as (folded(user_name)) stored,
  external_id text,
  attributes jsonb not null,
  mails text[] not null default '{}',
  active boolean not null,
  email text collate "C" not null,
  account_id uuid references users on delete set null,
  kept jsonb,
  waits boolean not null default false,
  waits_for uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint scim_user_name_taken unique (organization_id, user_name_folded)
);
comment on table scim_users is
  'People as the directory of an organisation sees them, apart from accounts: an id of its own, and the values as they were sent.';
comment on column scim_users.attributes is 'What the directory sent, of the attributes that are kept; without userName, externalId and active.';
comment on column scim_users.mails is 'The addresses among the attributes, folded, for filters.';
comment on column scim_users.email is 'The address by which the person has, or gets, an account: canonical.';
comment on column scim_users.account_id is 'The member. Null: invited, or somebody whose account has ended.';
comment on column scim_users.kept is 'Of somebody whom the directory has ended: roles, days, groups by hand and services of then, for when they come back.';
comment on column scim_users.waits is 'They could not be brought in, or invited, yet.';
comment on column scim_users.waits_for is
  'The token that brought them: they come in while it stands, and never once it is gone. Null: an admin, who tried again.';
create index scim_users_by_external_id on scim_users (organization_id, external_id);
create index scim_users_by_address on scim_users (organization_id, email);
create index scim_users_in_order on scim_users (organization_id, scim_user_id);
create index scim_users_by_mails on scim_users using gin (mails);
create index scim_users_by_account on scim_users (account_id, organization_id) where account_id is not null;
create index scim_users_waiting on scim_users (organization_id) where waits;

create table scim_groups (
  scim_group_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  display_name text not null check (display_name <> ''),
  display_name_folded text collate "C" not null generated always as (folded(display_name)) stored,
  external_id text,
  group_id uuid,
  role_key text,
  role_id uuid,
  role text generated always as (coalesce(role_key, role_id::text)) stored,
  decided_by uuid references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint scim_group_name_taken unique (organization_id, display_name_folded),
  constraint one_mapping check (num_nonnulls(group_id, role_key, role_id) <= 1),
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete set null (group_id)
);
comment on table scim_groups is
  'Groups as the directory of an organisation sees them, and what an admin has decided that they become here. They give nothing without.';
comment on column scim_groups.group_id is 'The group whose members they are.';
comment on column scim_groups.role is
  'The role of the organisation that their members have while they are in: a built-in role''s key, or the id of an own one.';
comment on column scim_groups.decided_by is 'Who has decided what it becomes. Newcomers get it while that person may still decide.';
create index scim_groups_by_decider on scim_groups (decided_by) where decided_by is not null;
create index scim_groups_by_external_id on scim_groups (organization_id, external_id);
create index scim_groups_in_order on scim_groups (organization_id, scim_group_id);
create index scim_groups_by_group on scim_groups (group_id, organization_id) where group_id is not null;
create index scim_groups_by_own_role on scim_groups (role_id, organization_id) where role_id is not null;
create index scim_groups_with_role on scim_groups (organization_id) where role is not null;

create table scim_group_members (
  scim_group_id uuid not null references scim_groups on delete cascade,
  scim_user_id uuid not null references scim_users on delete cascade,
  let_in boolean not null default true,
  primary key (scim_group_id, scim_user_id)
);
comment on table scim_group_members is 'Who is in which group, as the directory sees it, also whom it has ended.';
comment on column scim_group_members.let_in is
  'They get what the group becomes. False: they came when the person who decided it, or made the token, no longer could; an admin decides again.';
create index scim_group_members_held_back on scim_group_members (scim_group_id) where not let_in;
create index scim_groups_of_user on scim_group_members (scim_user_id);

create function directory_reaches(operates boolean, email_proof text, login_method text, config integer,
  organization_login text, organization_config integer)
returns boolean language sql immutable
  return not operates and (coalesce(email_proof <> 'operator', false)
    or coalesce(login_method = 'saml' and organization_login = 'saml' and config = organization_config, false));
comment on function directory_reaches is
  'Groups of a directory give only to an account whose address is proven, or that signs in by the organisation''s own sign-in.';

create view directory_members as
  select s.scim_user_id, m.account_id, m.organization_id, u.email
  from scim_users s join memberships m on m.account_id = s.account_id and m.organization_id = s.organization_id
    join users u on u.account_id = m.account_id join organizations o on o.organization_id = m.organization_id
  where s.active
    and directory_reaches(u.operates, u.email_proof, u.login_method, u.saml_config_id, o.login_method, o.saml_config_id);
comment on view directory_members is 'The members to whom groups of their organisation''s directory give something.';
grant select on directory_members to public;

create table scim_log (
  log_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  scim_user_id uuid references scim_users on delete set null,
  directory text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'retry')),
  about text,
  status smallint not null,
  problem text,
  deeds text[] not null default '{}',
  notes jsonb not null default '[]',
  created_at timestamptz not null
);
comment on table scim_log is
  'What directories sent and what came of it: names of attributes, never their values. Reading leaves a row only where it fails.';
comment on column scim_log.directory is 'The name of the token.';
comment on column scim_log.about is 'The userName at the time.';
create index scim_log_by_organization on scim_log (organization_id, log_id);
create index scim_log_by_age on scim_log (created_at);
create index scim_log_by_person on scim_log (scim_user_id) where scim_user_id is not null;

-- roles.sql

-- Roles that an organisation gives its people beside the admin role of a membership: named sets of permissions. Who has them
-- stands in grants.sql.

create function every_permission() returns text[] language sql immutable parallel safe
  return array['readPeople', 'readDetails', 'invitePeople', 'helpPeople', 'editPeople', 'removePeople', 'assignServices', 'giveRoles', 'readAudit', 'readReviews', 'decideReviews', 'readSettings', 'manageSettings'];
comment on function every_permission is 'What an organisation''s admin may.';
create function built_in_permissions(role_key text) returns text[] language sql immutable parallel safe
  return case role_key
    when 'reader' then array['readPeople', 'readDetails', 'readAudit', 'readReviews', 'readSettings']
    when 'auditor' then array['readPeople', 'readAudit', 'readReviews', 'readSettings']
    when 'helpDesk' then array['readPeople', 'readDetails', 'helpPeople']
    when 'personnelAdministrator' then array['readPeople', 'readDetails', 'invitePeople', 'helpPeople', 'editPeople', 'removePeople', 'assignServices']
  end;
create function powers_over_others() returns text[] language sql immutable parallel safe
  return array['giveRoles', 'manageSettings'];
comment on function powers_over_others is 'The holder of one of these decides what others may. A directory never gives them.';

create table organization_roles (
  role_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text collate "sv-x-icu" not null check (name <> ''),
  permissions text[] not null check (permissions <> '{}' and permissions <@ every_permission()),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint role_in_organization unique (role_id, organization_id)
);
comment on table organization_roles is 'Roles of an organisation''s own; the built-in ones are no rows, so nobody renames or removes them.';
create unique index organization_role_name on organization_roles (organization_id, folded(name));

alter table scim_groups
  add constraint built_in_role_of_scim_group
    check (role_key is null or coalesce(not built_in_permissions(role_key) && powers_over_others(), false)),
  add constraint own_role_of_scim_group foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete set null (role_id);

-- grants.sql

-- Who may do what, beside the role of a membership and of a service assignment: one table, with where, what, source and days.

create table all_grants (
  account_id uuid not null references users on delete cascade,
  organization_id uuid,
  service_id uuid,
  group_id uuid,
  in_service_id uuid,
  scope text not null generated always as (case when organization_id is null then 'portal' when in_service_id is not null then 'inService'
    when service_id is not null then 'service' when group_id is not null then 'group' else 'organization' end) stored,
  scope_id uuid generated always as (coalesce(service_id, group_id)) stored,
  role_key text,
  role_id uuid,
  service_role_id uuid,
  role text not null generated always as (coalesce(role_key, role_id::text, service_role_id::text)) stored,
  source text not null default 'hand' check (source in ('hand', 'group')),
  given_by uuid references users on delete set null,
  valid_from date,
  valid_until date,
  created_at timestamptz not null default now(),
  constraint grant_once unique nulls not distinct (account_id, organization_id, scope_id, role),
  constraint grant_period check (valid_until >= valid_from),
  constraint one_role check (num_nonnulls(role_key, role_id, service_role_id) = 1),
  constraint one_scope check (num_nonnulls(service_id, group_id, in_service_id) <= case when organization_id is null then 0 else 1 end),
  constraint portal_role check (organization_id is not null or coalesce(role_key in ('reader', 'auditor'), false)),
  constraint role_fits_scope check (organization_id is null or coalesce(case
    when in_service_id is not null then service_role_id is not null
    when service_id is not null then role_key = 'serviceOwner'
    when group_id is not null then role_key = 'groupAdmin'
    else role_id is not null or built_in_permissions(role_key) is not null end, false)),
  constraint groups_give_role_without_days check (
    source = 'hand' or (in_service_id is not null and valid_from is null and valid_until is null)),
  -- A role ends with what it stands on, and names nothing of another organisation.
  foreign key (account_id, organization_id) references memberships on delete cascade,
  constraint scope_of_service foreign key (organization_id, service_id) references organization_services on delete cascade,
  constraint scope_of_group foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade,
  constraint role_of_organization foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete cascade
);
comment on table all_grants is
  'Who has which role, also one that begins later or has ended: for those who administer. Where: the portal, an organisation, one service or group of it, or within a service that the person has.';
comment on column all_grants.role is
  'A built-in role''s key, or the id of one of the organisation''s own, or of the service''s. No key is of a whole organisation and of a part of it (decision 0101).';
comment on column all_grants.source is '"group": groups alone give it, for their days (group_role_grants).';
comment on column all_grants.service_id is 'The service for which somebody is responsible.';
comment on column all_grants.in_service_id is 'The service that has declared the role. The person has it.';
comment on column all_grants.given_by is 'Who has given it, or set its days, last. Null: a directory, or somebody whose account has ended.';
-- Of the operator's own people, as contract/portal-roles.ts has them. Only super users give one.
create unique index one_portal_role on all_grants (account_id) where organization_id is null;
create index grants_by_role on all_grants (organization_id, role) where scope = 'organization';
create index holders_of_service_role on all_grants (in_service_id, service_role_id, organization_id, account_id)
  where in_service_id is not null;
create index grants_of_own_role on all_grants (role_id, organization_id) where role_id is not null;
create index grants_by_service on all_grants (organization_id, service_id) where service_id is not null;
create index grants_by_group on all_grants (group_id, organization_id) where group_id is not null;
create index grants_by_end on all_grants (valid_until, organization_id) where valid_until is not null;
create index grants_by_giver on all_grants (given_by) where given_by is not null;

create view grants as
  select g.account_id, g.organization_id, g.scope, g.scope_id, g.role, least(g.valid_until, m.valid_until) as valid_until
  from all_grants g join current_memberships m using (account_id, organization_id)
  where g.scope <> 'inService' and is_current(g.valid_from, g.valid_until)
  union all
  select account_id, null, scope, null, role, valid_until from all_grants
  where organization_id is null and is_current(valid_from, valid_until);
comment on view grants is
  'What somebody has today, and until when. Whatever gives access reads this; of roles within a service, current_service_roles.';
grant select on grants to public;

create function note_portal_role() returns trigger language plpgsql as $$
begin
  update users set has_portal_role = (tg_op = 'INSERT')
    where account_id = case tg_op when 'INSERT' then new.account_id else old.account_id end and has_portal_role <> (tg_op = 'INSERT');
  return null;
end $$;
create trigger note_new_portal_role after insert on all_grants
  for each row when (new.organization_id is null) execute function note_portal_role();
create trigger note_gone_portal_role after delete on all_grants
  for each row when (old.organization_id is null) execute function note_portal_role();

create view all_held_roles as
  select g.account_id, g.organization_id, g.role, r.name,
    coalesce(r.permissions, built_in_permissions(g.role_key)) as permissions, g.valid_from, g.valid_until, false as by_directory
  from all_grants g left join organization_roles r on r.role_id = g.role_id
  where g.scope = 'organization'
  union all
  select m.account_id, m.organization_id, d.role, r.name, given.permissions, null, null, true
  from directory_members m join scim_group_members x using (scim_user_id) join scim_groups d using (scim_group_id)
    left join organization_roles r on r.role_id = d.role_id
    cross join lateral (select coalesce(r.permissions, built_in_permissions(d.role_key)) as permissions) as given
  where d.role is not null and x.let_in and not given.permissions && powers_over_others();
comment on view all_held_roles is 'Roles with what they allow, by hand or while a group of the directory gives them (never power over others, decision 0086), also those that begin later or have ended: for those who administer.';
grant select on all_held_roles to public;
create view held_roles as
  select h.* from all_held_roles h where is_current(h.valid_from, h.valid_until) and exists (
    select from current_memberships m where m.account_id = h.account_id and m.organization_id = h.organization_id);
comment on view held_roles is 'Who has which role today. Whatever gives access reads this.';
grant select on held_roles to public;

-- The rule that admins sign in with a passkey is about everybody who gives roles or decides how people sign in.
create function decides_over_others(account uuid, organization uuid) returns boolean language sql stable as $$
  select exists (select from held_roles h where h.account_id = account and h.organization_id = organization
    and h.permissions && powers_over_others())
$$;
create function floor_role(user_role text, strong_admins_from date, account uuid, organization uuid)
returns text language sql stable as $$
  select case when user_role = 'regular' and strong_admins_from is not null and decides_over_others(account, organization)
    then 'organizationAdmin' else user_role end
$$;
comment on function floor_role is 'The role that meets_floor asks about: an admin''s for every person who may do as much.';

create view standing_admins as
  select m.organization_id, m.account_id from current_memberships m join users u using (account_id)
    where m.user_role = 'organizationAdmin' and m.valid_until is null and m.role_until is null
      and not u.pending and u.passive_at is null
  union all
  select m.organization_id, m.account_id from held_roles h join current_memberships m using (account_id, organization_id)
    join users u using (account_id)
    where h.permissions @> every_permission() and h.valid_until is null and m.valid_until is null
      and not u.pending and u.passive_at is null;
comment on view standing_admins is
  'The people who can sign in and act today, may everything in the organisation, whatever their role is called, and have no end.';
grant select on standing_admins to public;

create function held_until(account uuid, organization uuid, needed text[]) returns table (until date) language sql stable as $$
  select null::date from users where account_id = account and super_user and passive_at is null
  union all
  select nullif(min(each_one.ends), 'infinity') from (
    select max(h.ends) as ends from unnest(needed) as n (permission) left join (
      select every_permission() as permissions, least(coalesce(valid_until, 'infinity'), coalesce(role_until, 'infinity')) as ends
        from current_memberships
        where account_id = account and organization_id = organization and user_role = 'organizationAdmin'
      union all
      select r.permissions, least(coalesce(r.valid_until, 'infinity'), coalesce(m.valid_until, 'infinity'))
        from held_roles r join current_memberships m using (account_id, organization_id)
        where r.account_id = account and r.organization_id = organization
    ) h on n.permission = any (h.permissions)
    group by n.permission) as each_one
  having bool_and(each_one.ends is not null)
    and exists (select from users where account_id = account and not super_user and passive_at is null)
$$;
comment on function held_until is
  'The last day on which somebody holds all of these permissions in an organisation; null: without an end. No row: they lack one today, or the account is passive.';

create function may_let_in(decider uuid, organization uuid) returns boolean language sql stable as $$
  select exists (select from held_until(decider, organization, every_permission()))
$$;
comment on function may_let_in is 'Whether somebody may decide today what groups of the directory give.';

create function token_stands(token uuid) returns boolean language sql stable as $$
  select exists (select from scim_tokens t where t.token_id = token and may_let_in(t.answers_for, t.organization_id))
$$;
comment on function token_stands is
  'Whether who answers for a token of a directory may decide everything there today, asked at each use.';

create function acting_holders(organization uuid, needed text[]) returns table (account_id uuid, until date)
language sql stable as $$
  select u.account_id, h.until from (
      select m.account_id from current_memberships m
        where m.organization_id = organization and m.user_role = 'organizationAdmin'
      union select r.account_id from held_roles r where r.organization_id = organization) c
    join users u on u.account_id = c.account_id
    cross join lateral held_until(u.account_id, organization, needed) h
    where not u.pending
$$;
comment on function acting_holders is
  'The people who can sign in and hold all of these permissions in an organisation today, by whatever role, and until when.';

create view role_ends as
  select account_id, organization_id, role, coalesce(scope_id, role_id) as about, valid_until
  from all_grants g where scope <> 'inService' and valid_until is not null
    and not exists (select from all_held_roles h where h.by_directory and h.account_id = g.account_id
      and h.organization_id = g.organization_id and h.role = g.role);
comment on view role_ends is
  'The last day of each role beside the admin role that has one, and that no directory gives as well; about is a service, a group or one of the organisation''s own roles. Without an organisation: in the portal.';
grant select on role_ends to public;

-- access.sql

-- Who has which service: assignments and their seats, what people ask for, and the reviews of who keeps what.

create table service_assignments (
  account_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  source text default 'hand' check (source in ('hand', 'request')),
  user_role text not null default 'regular' check (user_role in ('regular', 'serviceAdmin')),
  valid_from date,
  valid_until date,
  last_used timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id, service_id),
  constraint assignment_period check (valid_until >= valid_from),
  constraint groups_give_no_role check (source is not null or (user_role = 'regular' and valid_from is null and valid_until is null)),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on column service_assignments.source is
  'How the person got it for themselves, with role and days. Null: groups alone give it (group_grants), for their days.';
-- What is known of a person's use of a service belongs to the organisation that gave it.
comment on column service_assignments.last_used is
  'When the person last entered the service for this organisation, from the launcher or at the service. Null: never, or '
  'another organisation gave it too and the service did not say for which it was.';
create index service_assignments_by_service on service_assignments (organization_id, service_id, account_id);
-- A service's holders in all organisations.
create index holders_of_service on service_assignments (service_id, account_id);
create index service_admins on service_assignments (account_id) where user_role = 'serviceAdmin';
create index service_assignments_by_end on service_assignments (valid_until, organization_id) where valid_until is not null;

create view assignment_last_days as
  select account_id, organization_id, service_id, case when source is null or valid_until is not null then (
      select case when bool_and(x.last_day is not null) then max(x.last_day) end from (
        select a.valid_until where a.source is not null
        union all select g.valid_until from group_grants g
          where g.account_id = a.account_id and g.organization_id = a.organization_id and g.service_id = a.service_id
      ) as x (last_day)) end as last_day
  from service_assignments a;
comment on view assignment_last_days is 'Until when somebody has a service, by whatever source lasts longest. Null: without end.';
grant select on assignment_last_days to public;

create view current_assignments as
  select account_id, organization_id, service_id, source,
    case when source is not null and is_current(valid_from, valid_until) then user_role else 'regular' end as user_role,
    valid_from, (
      select last_day from assignment_last_days l where l.account_id = a.account_id and l.organization_id = a.organization_id
        and l.service_id = a.service_id) as valid_until,
    last_used, created_at
  from service_assignments a
  where (source is not null and is_current(valid_from, valid_until) or exists (
      select from group_grants g where g.account_id = a.account_id and g.organization_id = a.organization_id
        and g.service_id = a.service_id and is_current(g.valid_from, g.valid_until)))
    and exists (
      select from current_memberships m where m.account_id = a.account_id and m.organization_id = a.organization_id);
comment on view current_assignments is 'Who has a service today. Whatever gives access reads this; the table is for those who administer.';
grant select on current_assignments to public;

create view assignment_ends as
  with ends as (
    select account_id, organization_id, service_id, valid_until from service_assignments where valid_until is not null
    union all select m.account_id, organization_id, s.service_id, least(m.valid_until, s.valid_until)
      from group_members m join group_services s using (group_id, organization_id) where m.valid_until is not null
    union all select m.account_id, organization_id, s.service_id, s.valid_until
      from group_members m join group_services s using (group_id, organization_id)
      where m.valid_until is null and s.valid_until is not null)
  select distinct * from ends e
  where not exists (
      select from service_assignments a where a.account_id = e.account_id and a.organization_id = e.organization_id
        and a.service_id = e.service_id and a.source is not null and coalesce(a.valid_until, 'infinity') > e.valid_until
        and coalesce(a.valid_from, '-infinity') <= e.valid_until + 1)
    and not exists (
      select from group_grants g where g.account_id = e.account_id and g.organization_id = e.organization_id
        and g.service_id = e.service_id and coalesce(g.valid_until, 'infinity') > e.valid_until
        and coalesce(g.valid_from, '-infinity') <= e.valid_until + 1);
comment on view assignment_ends is 'The last day of each service that has one, from whatever source.';
grant select on assignment_ends to public;

create function count_seats() returns trigger language plpgsql as $$
begin
  -- Once for all that a statement gives or takes, in the order in which everybody locks these rows.
  perform from organization_services
    where (organization_id, service_id) in (select organization_id, service_id from changed)
    order by organization_id, service_id for no key update;
  update organization_services o set seats_used = seats_used + case tg_op when 'INSERT' then seats else -seats end
    from (select organization_id, service_id, count(*)::integer as seats from changed group by 1, 2) as counted
    where o.organization_id = counted.organization_id and o.service_id = counted.service_id;
  return null;
end $$;
create trigger count_new_seats after insert on service_assignments
  referencing new table as changed for each statement execute function count_seats();
create trigger count_gone_seats after delete on service_assignments
  referencing old table as changed for each statement execute function count_seats();

create function keep_assignment_place() returns trigger language plpgsql as $$
begin
  raise exception 'an assignment stays with its person, organisation and service' using errcode = 'check_violation';
end $$;
create trigger keep_assignment_place before update of account_id, organization_id, service_id on service_assignments
  for each row when ((old.account_id, old.organization_id, old.service_id) is distinct from (new.account_id, new.organization_id, new.service_id))
  execute function keep_assignment_place();

create table service_preferences (
  account_id uuid not null references users on delete cascade,
  service_id uuid not null references services on delete cascade,
  favourite boolean not null default false,
  primary key (account_id, service_id)
);
create index service_preferences_by_service on service_preferences (service_id);

create table access_requests (
  request_id uuid primary key,
  account_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  refused_because text check (refused_because <> ''),
  created_at timestamptz not null,
  unique (account_id, organization_id, service_id),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table access_requests is
  'Requests of members for a service of their organisation. One that is granted, or was handed out otherwise, is removed.';
comment on column access_requests.refused_because is 'Null while the request is open.';
create index access_requests_by_service on access_requests (organization_id, service_id, created_at);
create index access_requests_open on access_requests (created_at, request_id) where refused_because is null;
-- For the job remove-expired.
create index access_requests_refused on access_requests (created_at) where refused_because is not null;

create function answer_access_request() returns trigger language plpgsql as $$
begin
  -- A group that begins later does not answer for the time until then.
  delete from access_requests where account_id = new.account_id
    and organization_id = new.organization_id and service_id = new.service_id
    and (new.source is not null or exists (
      select from group_grants g where g.account_id = new.account_id and g.organization_id = new.organization_id
        and g.service_id = new.service_id and is_current(g.valid_from, g.valid_until)));
  return null;
end $$;
create trigger answer_access_request after insert on service_assignments
  for each row execute function answer_access_request();
create trigger answer_request_for_ended after update of source, valid_from, valid_until on service_assignments
  for each row when (new.source is not null and is_current(new.valid_from, new.valid_until)
    and (old.source is null or not is_current(old.valid_from, old.valid_until)))
  execute function answer_access_request();

create table access_reviews (
  review_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  opened_at timestamptz not null,
  told_at timestamptz,
  ending_at timestamptz,
  finished_at timestamptz,
  finished_by text
);
comment on table access_reviews is 'An organisation''s review of who keeps which service.';
comment on column access_reviews.told_at is 'When its admins were last mailed.';
comment on column access_reviews.ending_at is
  'When its end began. From then on decisions are closed, and services are taken back in portions until it is finished.';
comment on column access_reviews.finished_by is 'Who began its end: the address at the time.';
create unique index access_reviews_open on access_reviews (organization_id) where finished_at is null;
create index access_reviews_by_organization on access_reviews (organization_id, opened_at);
-- For the job remove-expired.
create index access_reviews_finished on access_reviews (finished_at);

create table access_review_rows (
  row_id uuid primary key,
  review_id uuid not null references access_reviews on delete cascade,
  account_id uuid not null references users on delete cascade,
  service_id uuid not null references services on delete cascade,
  first_name text,
  last_name text,
  email text not null,
  user_role text not null,
  service_roles text[] not null default '{}',
  last_used timestamptz,
  decision text check (decision in ('keep', 'takeBack')),
  decided_at timestamptz,
  decided_by text,
  -- A decision can be changed until then.
  ended_at timestamptz,
  unique (review_id, account_id, service_id),
  constraint decided_by_someone check ((decision is null) = (decided_at is null)),
  constraint ended_by_a_decision check (ended_at is null or decision is not null)
);
comment on table access_review_rows is 'Who had which service when the review began. A deleted person, or service, leaves it.';
comment on column access_review_rows.email is
  'As it was when the review began, and so are the names: what somebody is called after leaving is not for this organisation.';
comment on column access_review_rows.service_roles is 'The keys of the roles of the service that the person had.';
comment on column access_review_rows.last_used is 'From the launcher, at the beginning of the review. Null: never.';
comment on column access_review_rows.decided_by is 'The address at the time.';
comment on column access_review_rows.ended_at is 'When the service was taken back, mostly at the end of the review; of one that was kept, when the review ended without it.';
create index access_review_rows_of_account on access_review_rows (account_id);
create index access_review_rows_of_service on access_review_rows (service_id);

create function ask_review_again() returns trigger language plpgsql as $$
begin
  update access_review_rows r set decision = null, decided_at = null, decided_by = null
  from access_reviews v
  where v.review_id = r.review_id and v.organization_id = new.organization_id and v.finished_at is null
    and r.account_id = new.account_id and r.service_id = new.service_id
    and r.ended_at is null and r.decision is not null;
  return null;
end $$;
comment on function ask_review_again is 'A service that somebody gets again during a review is not taken back by a decision of before.';
create trigger ask_review_again after insert on service_assignments
  for each row execute function ask_review_again();
create trigger ask_review_of_ended_again after update of source, valid_from, valid_until on service_assignments
  for each row when (new.source is not null and is_current(new.valid_from, new.valid_until)
    and (old.source is null or not is_current(old.valid_from, old.valid_until)))
  execute function ask_review_again();

create table access_review_reviewers (
  review_id uuid not null references access_reviews on delete cascade,
  organization_id uuid not null,
  service_id uuid not null,
  account_id uuid not null,
  asked_at timestamptz not null,
  primary key (review_id, service_id, account_id),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table access_review_reviewers is
  'Members who are asked to decide about one service of a review. They lose it with their membership.';
create index access_review_reviewers_of_account on access_review_reviewers (account_id, organization_id);
create index access_review_reviewers_of_service on access_review_reviewers (organization_id, service_id);

create table access_end_reminders (
  account_id uuid not null references users on delete cascade,
  organization_id uuid,
  ends_on date not null,
  days_before smallint not null check (days_before in (14, 3)),
  sent_at timestamptz not null,
  constraint reminded_once unique nulls not distinct (account_id, organization_id, ends_on, days_before),
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table access_end_reminders is
  'Mails to a person, and to who can extend, that something in an organisation, or in the portal, ends on this day; each is sent once. A new end has mails of its own.';

-- messages.sql

-- Mail and text messages: what is sent, and the texts that super users write.

create table outbox_messages (
  id uuid primary key,
  kind text not null check (kind in ('mail', 'sms')),
  template text not null,
  recipient text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  account_id uuid references users on delete cascade,
  organization_id uuid,
  sealed bytea not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  useless_after timestamptz,
  finished_at timestamptz
);
comment on table outbox_messages is 'One row per mail or SMS, queued in the transaction that causes it; the job in the queue carries only the id.';
comment on column outbox_messages.organization_id is 'Whose texts and sender it has; no reference, because a message outlives its organisation.';
comment on column outbox_messages.sealed is 'The template''s values (links, codes), AES-256-GCM; emptied once the message has left.';
comment on column outbox_messages.useless_after is 'A message that is late by then is dropped instead of sent: an expired code only confuses.';
create index outbox_messages_by_account on outbox_messages (account_id, created_at);
create index outbox_messages_unsent on outbox_messages (created_at) where state <> 'sent';
create index outbox_messages_finished on outbox_messages (finished_at) where state <> 'queued';
-- What could not be sent is few among many.
create index outbox_messages_failed on outbox_messages (finished_at) where state = 'failed';

create table refused_addresses (
  address text primary key,
  refused_at timestamptz not null
);
comment on table refused_addresses is 'Addresses that the mail server refused for good; removed when a mail gets through.';

create table message_templates (
  template_id uuid primary key,
  channel text not null check (channel in ('mail', 'sms')),
  type text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  organization_id uuid references organizations on delete cascade,
  draft jsonb,
  published jsonb,
  version integer not null default 0,
  unique nulls not distinct (type, channel, language, organization_id)
);
comment on table message_templates is 'Texts that super users write in place of the built-in ones, for one organisation or, without one, for all.';
comment on column message_templates.published is 'subject, body and button; null: the text of all organisations, or the built-in one, applies.';
create index message_templates_by_organization on message_templates (organization_id);

create table message_template_versions (
  template_id uuid not null references message_templates on delete cascade,
  number integer not null,
  text jsonb,
  published_at timestamptz not null,
  published_by text not null,
  primary key (template_id, number)
);
comment on table message_template_versions is 'Every text that was published, never changed.';

-- invitations.sql

-- An invitation is not an account. Rows of users, memberships and service_assignments are accepted by their person; what
-- waits for an answer stands here alone, with the role and the services that were chosen.

create table invitations (
  invitation_id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  email text collate "C" not null,
  first_name text collate "sv-x-icu" check (first_name <> ''),
  last_name text collate "sv-x-icu" check (last_name <> ''),
  user_role text not null default 'regular' check (user_role in ('regular', 'organizationAdmin')),
  guest boolean not null default false,
  valid_from date,
  valid_until date,
  message text,
  language text check (language in ('en', 'sv', 'fi', 'fr')),
  invited_by uuid references users on delete set null,
  promised_by uuid references users on delete set null,
  outbox_id uuid references outbox_messages on delete set null,
  token_version integer not null default 1,
  version integer not null default 1,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint invitation_period check (valid_until >= valid_from),
  constraint invitation_of_organization unique (invitation_id, organization_id),
  constraint invitation_once unique nulls not distinct (organization_id, email)
);
comment on table invitations is 'Open or expired. Accepting, declining or withdrawing one deletes it; the audit event is the record.';
comment on column invitations.organization_id is 'Null for the first super user, who is invited to the portal itself.';
comment on column invitations.email is 'Canonical. Whether it has an account is not for the inviter to know.';
comment on column invitations.first_name is 'As the inviter typed it, and so is the last name: never those of an account.';
comment on column invitations.language is 'Of its mail, where the inviter chose one; null: that of the inviter.';
comment on column invitations.guest is
  'Somebody from elsewhere: with their own sign-in in an organisation with organisation sign-in, and for guest_days where no other end was chosen.';
comment on column invitations.valid_until is 'The last day of the membership that it becomes; valid_from is the first.';
comment on column invitations.invited_by is 'Who sent it last.';
comment on column invitations.promised_by is
  'Who promised the role: sending the invitation again, or changing something else of it, does not. Null: the account had the role before.';
comment on column invitations.outbox_id is 'The mail with the present link: whether it has left is what the inviter asks.';
comment on column invitations.token_version is
  'The link''s token is HMAC(key, invitation_id, token_version): it can be shown again, nothing secret is stored, raising the version revokes it.';
create index invitations_by_email on invitations (email);
create index invitations_by_expiry on invitations (expires_at);
-- Messages are removed after a while; each removal looks here.
create index invitations_by_message on invitations (outbox_id);
-- An organisation's list shows its invitations among its members, in order of each column.
create index invitations_by_place on invitations (organization_id, (email collate "sv-x-icu"), invitation_id);
create index invitations_by_first_name on invitations (organization_id, (coalesce(first_name, '')), invitation_id);
create index invitations_by_last_name on invitations (organization_id, (coalesce(last_name, '')), invitation_id);

create table invitation_services (
  invitation_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  user_role text not null default 'regular' check (user_role in ('regular', 'serviceAdmin')),
  promised_by uuid references users on delete cascade,
  primary key (invitation_id, service_id),
  foreign key (invitation_id, organization_id) references invitations (invitation_id, organization_id) on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table invitation_services is 'What an invitation promises. Seats are taken when it is accepted.';
comment on column invitation_services.promised_by is
  'Who promised the service and the role. Nobody gets it once they may no longer hand it out. Null: the organisation gives it.';

create function promised_until(promiser uuid, organization uuid, needed text[]) returns table (until date) language sql stable as $$
  select null::date where promiser is null
  union all
  select until from held_until(promiser, organization, needed)
$$;
comment on function promised_until is
  'The last day of a role that somebody promised: nobody gives it for longer than they hold what it needs. No row: they have lost it since.';
-- Nobody gives a role that they no longer have. Of those whose account is still there, the acceptance asks.
create function withdraw_promised_roles() returns trigger language plpgsql as $$
begin
  update invitations set user_role = 'regular' where promised_by = old.account_id;
  return old;
end $$;
create trigger withdraw_promised_roles before delete on users
  for each row execute function withdraw_promised_roles();
create index invitations_by_inviter on invitations (invited_by) where invited_by is not null;
create index invitations_by_promiser on invitations (promised_by) where promised_by is not null;
create index invitation_services_by_promiser on invitation_services (promised_by) where promised_by is not null;
create index invitation_services_by_service on invitation_services (organization_id, service_id);

-- A mail whose link is dead before it has left only confuses: while the mail server is away, every invitation that is sent
-- again would later arrive beside the ones that it replaced. However an invitation ends, its mail ends with it.
create function withdraw_invitation_mail() returns trigger language plpgsql as $$
begin
  update outbox_messages
    set state = 'dropped', reason = 'its invitation was replaced or ended', sealed = '', finished_at = now()
    where id = old.outbox_id and state in ('queued', 'failed');
  return null;
end $$;
create trigger withdraw_replaced_invitation_mail after update of token_version on invitations
  for each row when (new.token_version <> old.token_version)
  execute function withdraw_invitation_mail();
create trigger withdraw_deleted_invitation_mail after delete on invitations
  for each row execute function withdraw_invitation_mail();

-- sessions.sql

-- Sessions of the portal and of identity providers, what the OpenID Provider stores, and sign-outs on their way to services.

create table sessions (
  id_hash bytea primary key,
  uid text collate "C" not null,
  account_id uuid references users on delete cascade,
  auth_epoch integer,
  authenticated_at timestamptz,
  proofs jsonb not null default '{}',
  user_agent text,
  ip inet,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint session_uid_unique unique (uid)
);
comment on column sessions.id_hash is 'SHA-256 of the cookie''s value: a dump of the database holds no live session.';
comment on column sessions.proofs is 'When each factor was last proven in this session: its name, and milliseconds since the epoch.';
comment on column sessions.auth_epoch is 'The account''s auth_epoch at sign-in; the session is dead as soon as the two differ.';
-- An organisation may have shorter sessions than the portal; the shortest of a person's organisations counts (decision 0072).
create function shorten_session() returns trigger language plpgsql as $$
begin
  select least(new.expires_at, min(new.last_used_at + make_interval(mins => o.session_idle_minutes)),
      min(new.authenticated_at + make_interval(hours => o.session_max_hours)))
    into new.expires_at
    from current_memberships m join organizations o using (organization_id)
    where m.account_id = new.account_id and coalesce(o.session_idle_minutes, o.session_max_hours) is not null;
  return new;
end $$;
create trigger shorten_session before insert or update of expires_at on sessions
  for each row when (new.account_id is not null) execute function shorten_session();
create index sessions_by_account on sessions (account_id, last_used_at);
create index sessions_expired on sessions (expires_at);

create table new_browsers (
  account_id uuid not null references users on delete cascade,
  network text not null,
  day date not null,
  first_at timestamptz not null,
  browser text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  sign_ins integer not null default 1 check (sign_ins > 0),
  told integer not null default 0 check (told between 0 and sign_ins),
  primary key (account_id, network, day)
);
comment on table new_browsers is
  'Sign-ins from browsers that an account had not used: one row for a network and a day, of which a job mails the owner.';
comment on column new_browsers.browser is 'Of the first one.';
comment on column new_browsers.told is 'How many of the sign-ins the owner has been mailed about.';
create index new_browsers_untold on new_browsers (first_at) where told < sign_ins;
create index new_browsers_by_day on new_browsers (day);

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
-- Nothing of the provider's but sessions is found by uid; most artifacts belong to no grant and to nobody.
create index provider_artifacts_by_grant on provider_artifacts (grant_id) where grant_id is not null;
create index provider_artifacts_by_account on provider_artifacts (account_id) where account_id is not null;
create index provider_artifacts_expired on provider_artifacts (expires_at);

create table logout_deliveries (
  id uuid primary key,
  client_id text collate "C" not null references clients on delete cascade,
  account_id uuid not null,
  sid text not null,
  sign_out uuid not null,
  state text not null check (state in ('queued', 'told', 'failed', 'untold')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table logout_deliveries is 'One row per service and ended session (OpenID Connect Back-Channel Logout), queued in the transaction that ends it; the job in the queue carries only the id.';
comment on column logout_deliveries.account_id is 'No reference: a deleted account''s services are told after it is gone.';
comment on column logout_deliveries.sid is 'The session''s id at the service; it opens nothing.';
comment on column logout_deliveries.sign_out is 'What ended together: the page after a sign-out lists it.';
comment on column logout_deliveries.state is 'untold: the client has no address for logout tokens.';
create index logout_deliveries_by_sign_out on logout_deliveries (sign_out);
create index logout_deliveries_by_client on logout_deliveries (client_id, created_at);
create index logout_deliveries_by_time on logout_deliveries (created_at);

create table saml_sessions (
  id uuid primary key,
  saml_config_id integer not null references saml_configs on delete cascade,
  account_id uuid not null references users on delete cascade,
  interaction_hash bytea not null,
  session_uid text collate "C",
  name_hash bytea not null,
  index_hash bytea,
  sealed bytea not null,
  created_at timestamptz not null
);
comment on table saml_sessions is 'What identity providers call the people and sessions that they signed in, for single logout. Goes with the session.';
comment on column saml_sessions.session_uid is 'Null until the browser has completed the sign-in. No foreign key: a session that is renewed is deleted and inserted.';
comment on column saml_sessions.name_hash is 'HMAC of the NameID.';
comment on column saml_sessions.index_hash is 'HMAC of the SessionIndex.';
comment on column saml_sessions.sealed is 'NameID and SessionIndex.';
create index saml_sessions_by_name on saml_sessions (saml_config_id, name_hash);
create index saml_sessions_by_session on saml_sessions (session_uid);
create index saml_sessions_by_interaction on saml_sessions (interaction_hash);
create index saml_sessions_by_account on saml_sessions (account_id);
create index saml_sessions_by_time on saml_sessions (created_at);

-- secrets.sql

-- Keys, and what may be used once.

create table keys (
  id uuid primary key,
  purpose text not null,
  state text not null check (state in ('next', 'current', 'previous', 'retired')),
  sealed bytea not null,
  created_at timestamptz not null default now(),
  state_since timestamptz not null default now()
);
comment on table keys is 'Data keys, sealed by the master key. "next" verifies already but does not sign yet; "previous" verifies and opens still.';
create unique index one_current_key on keys (purpose) where state = 'current';

create table one_time_things (
  purpose text not null,
  token_hash bytea not null,
  subject text not null,
  data jsonb not null default '{}',
  attempts_left integer not null default 1 check (attempts_left >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (purpose, token_hash)
);
comment on table one_time_things is 'Codes, tickets, resets, SAML requests and assertion ids, BankID orders: one table, used up by a single UPDATE.';
create index one_time_things_by_subject on one_time_things (purpose, subject);
create index one_time_things_expired on one_time_things (expires_at);

-- limits.sql

-- How often something may happen: rate limits, repeated requests and failures that repeat.

create table limits (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null,
  blocked_until timestamptz
) with (fillfactor = 70);
create index limits_expired on limits (window_ends_at);

create table idempotency_keys (
  id text primary key,
  request_hash bytea not null,
  status integer,
  answer_sealed bytea,
  created_at timestamptz not null
);
comment on table idempotency_keys is 'What a repeated request gets instead of being done again. Written in the transaction of the change, so that both are there or neither.';
comment on column idempotency_keys.id is 'SHA-256 of session and key.';
comment on column idempotency_keys.request_hash is
  'HMAC of the request and of the rights of who sent it: bodies hold passwords and personal numbers.';
comment on column idempotency_keys.answer_sealed is 'The body of the answer, AES-256-GCM: it may hold a personal identity number.';
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table repeated_failures (
  label text not null,
  origin text not null,
  hour timestamptz not null,
  count integer not null,
  event jsonb not null,
  primary key (label, origin, hour)
);
comment on table repeated_failures is 'Failed sign-ins of the hour. What is above twenty has no event of its own; a job writes one for all when the hour is over.';

-- directory.sql

-- What lists sort and search by, kept apart from what changes with every sign-in: narrow rows in the order of the
-- screens, and the trigrams of what a search looks in. The triggers in lists.sql keep them.

-- Without a list of pending entries, here and below: every search would read it from end to end.
create index organizations_by_text on organizations using gin (search gin_trgm_ops) with (fastupdate = off);

create table directory (
  account_id uuid primary key,
  invited boolean not null default false,
  email text collate "sv-x-icu" not null,
  first_name text collate "sv-x-icu" not null,
  last_name text collate "sv-x-icu" not null,
  person text collate "C" not null,
  search text collate "C" not null
);
comment on table directory is 'The people of the lists, a copy that triggers keep: in order of each column, and found by any part.';
comment on column directory.account_id is 'Of a person, or the id of an invitation.';
comment on column directory.invited is 'An invitation; else a person.';
comment on column directory.person is 'Names and address, folded, a line each.';
comment on column directory.search is 'The same, and the names and numbers of the organisations: for those who may see them all.';
create index directory_by_email on directory (email, account_id);
create index directory_by_first_name on directory (first_name, account_id);
create index directory_by_last_name on directory (last_name, account_id);
-- Finds a person's place in a list without the wide row of the table.
create index directory_by_account on directory (account_id) include (email, first_name, last_name);
-- The invitations, counted without looking each of them up among all people.
create index invited_in_directory on directory (account_id) where invited;
create index directory_by_text on directory using gin (search gin_trgm_ops) with (fastupdate = off);

-- lists.sql

-- The triggers that keep what lists show: the directory, and the copies in memberships.

create function describe_people(ids uuid[]) returns void language plpgsql as $$
begin
  -- One after the other for the same person: the second one sees what the first one did.
  perform from directory where account_id = any (ids) order by account_id for update;
  insert into directory (account_id, email, first_name, last_name, person, search)
    select account_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person,
      concat_ws(E'\n', person, folded(organizations))
    from users,
      lateral (select folded(concat_ws(E'\n', first_name, last_name, email))) as words (person),
      lateral (
        select string_agg(concat_ws(E'\n', name, organization_number), E'\n')
        from memberships join organizations using (organization_id) where memberships.account_id = users.account_id
      ) as places (organizations)
    where account_id = any (ids)
    on conflict (account_id) do update set (email, first_name, last_name, person, search) =
      (excluded.email, excluded.first_name, excluded.last_name, excluded.person, excluded.search);
  update memberships set email = directory.email, first_name = directory.first_name, last_name = directory.last_name
    from directory
    where memberships.account_id = any (ids) and directory.account_id = memberships.account_id
      and (memberships.email, memberships.first_name, memberships.last_name)
        is distinct from (directory.email, directory.first_name, directory.last_name);
end $$;

create function list_invitations(ids uuid[]) returns void language plpgsql as $$
begin
  delete from directory where account_id = any (ids);
  insert into directory (account_id, email, first_name, last_name, person, search, invited)
    select invitation_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person,
      concat_ws(E'\n', person, folded(concat_ws(E'\n', o.name, o.organization_number))), true
    from invitations i left join organizations o using (organization_id),
      lateral (select folded(concat_ws(E'\n', first_name, last_name, i.email))) as words (person)
    where invitation_id = any (ids) and not exists (select from users u where u.email = i.email)
    on conflict (account_id) do nothing;
end $$;

-- People.
create function list_user_change() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform describe_people(array(select account_id from changed));
      perform list_invitations(array(select invitation_id from invitations join changed using (email)));
    when 'DELETE' then
      delete from directory using changed where directory.account_id = changed.account_id;
      perform list_invitations(array(select invitation_id from invitations join changed using (email)));
    else
      perform describe_people(array[new.account_id]);
  end case;
  return null;
end $$;
create trigger list_new_users after insert on users referencing new table as changed
  for each statement execute function list_user_change();
create trigger list_gone_users after delete on users referencing old table as changed
  for each statement execute function list_user_change();
create trigger list_changed_user after update of email, first_name, last_name on users for each row
  when ((old.email, old.first_name, old.last_name) is distinct from (new.email, new.first_name, new.last_name))
  execute function list_user_change();

-- Their memberships.
create function list_membership_change() returns trigger language plpgsql as $$
begin
  -- The organisation's row first: its name cannot change until what is written here is there to be seen.
  perform from organizations where organization_id in (select organization_id from changed)
    order by organization_id for no key update;
  update organizations set member_count = member_count + case tg_op when 'INSERT' then count else -count end
    from (select organization_id, count(*)::integer as count from changed group by 1) as counted
    where organizations.organization_id = counted.organization_id;
  perform describe_people(array(select distinct account_id from changed));
  return null;
end $$;
create trigger list_new_memberships after insert on memberships referencing new table as changed
  for each statement execute function list_membership_change();
create trigger list_gone_memberships after delete on memberships referencing old table as changed
  for each statement execute function list_membership_change();

-- The person's lock first: the account does not change between the copy and the row that takes it.
create function copy_account_to_membership() returns trigger language plpgsql as $$
begin
  select login_method, idle_since into new.login_method, new.idle_since
    from users where account_id = new.account_id for no key update;
  return new;
end $$;
create trigger copy_account_to_new_membership before insert on memberships
  for each row execute function copy_account_to_membership();

create function copy_account_to_memberships() returns trigger language plpgsql as $$
begin
  update memberships set login_method = new.login_method, idle_since = new.idle_since
    where account_id = new.account_id;
  return null;
end $$;
create trigger copy_changed_account after update of login_method, idle_since on users for each row
  when ((old.login_method, old.idle_since) is distinct from (new.login_method, new.idle_since))
  execute function copy_account_to_memberships();

-- Invitations: an address without an account stands once for each of its invitations.
create function list_invitation_change() returns trigger language plpgsql as $$
begin
  perform list_invitations(array(select invitation_id from changed));
  return null;
end $$;
create trigger list_new_invitations after insert on invitations referencing new table as changed
  for each statement execute function list_invitation_change();
create trigger list_gone_invitations after delete on invitations referencing old table as changed
  for each statement execute function list_invitation_change();

-- Organisations.
create function list_organization_change() returns trigger language plpgsql as $$
begin
  perform describe_people(array(select account_id from memberships where organization_id = new.organization_id));
  perform list_invitations(array(select invitation_id from invitations where organization_id = new.organization_id));
  return null;
end $$;
create trigger list_changed_organization after update of name, organization_number on organizations for each row
  when ((old.name, old.organization_number) is distinct from (new.name, new.organization_number))
  execute function list_organization_change();

-- audit-events.sql

-- The events of the audit log. A change inserts its event into a partition without indexes and triggers of its own, and the
-- sealer moves it to its month when it gives it its place in the chain (decision 0074; audit-chain.sql).

create function audit_family(name text, target_id text) returns text language sql immutable parallel safe return
  case
    when name = 'loginFailure' and target_id is null then 'unknownSignIn'
    when name in ('loginSuccess', 'loginFailure', 'logout') then 'signIn'
    else 'change'
  end;
comment on function audit_family is 'Decides how long an event is kept. A failed sign-in without a target is that of an unknown address.';

create table audit_events (
  id uuid not null,
  name text collate "C" not null,
  actor_id uuid,
  actor text,
  target_id text,
  target text,
  organization_ids uuid[] not null default '{}',
  changes jsonb not null default '[]',
  request_id text,
  created_at timestamptz not null,
  salt uuid default gen_random_uuid(),
  sealed boolean not null default false,
  queued_at timestamptz default clock_timestamp(),
  -- Folded once, when the event is written: to fold a label takes longer than to find it.
  actor_search text collate "C" generated always as (folded(coalesce(actor, ''))) stored,
  target_search text collate "C" generated always as (folded(coalesce(target, ''))) stored
) partition by list (sealed);
comment on column audit_events.actor is 'The label at the time: it stays when the person is deleted, until the person is erased.';
comment on column audit_events.organization_ids is 'Organisations of actor and target at the time: their admins may read the event.';
comment on column audit_events.salt is 'Random, part of the digest, and gone with what was erased.';
comment on column audit_events.sealed is 'Whether the event has its place in the chain.';
comment on column audit_events.queued_at is 'When it was written, by the clock of the database; null once it is sealed.';
comment on column audit_events.actor_search is 'The folded label, empty where there is none. No part of what is hashed.';

create table audit_events_new (like audit_events including defaults including generated)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table audit_events_new is 'Events that are not in the chain yet. Read as a whole, so it has no index.';
alter table audit_events attach partition audit_events_new for values in (false);

create table audit_events_sealed (like audit_events including defaults including generated) partition by range (created_at);
comment on table audit_events_sealed is 'Events in the chain, in partitions by month.';
alter table audit_events_sealed alter column sealed set default true, alter column queued_at drop default;
alter table audit_events attach partition audit_events_sealed for values in (true);
create index audit_events_by_time on audit_events_sealed (created_at, id);
-- Names sort as they are written, and an index serves both the filter and the sort.
create index audit_events_by_name on audit_events_sealed (name);
-- The beginnings of labels: a btree holds no entry of more than 2,700 bytes.
create index audit_events_by_actor on audit_events_sealed (left(actor_search, 300));
create index audit_events_by_target on audit_events_sealed (left(target_search, 300));
create index audit_events_by_actor_id on audit_events_sealed (actor_id);
create index audit_events_by_target_id on audit_events_sealed (target_id);
create index audit_events_by_organization on audit_events_sealed using gin (organization_ids) with (fastupdate = off);
-- pg_trgm splits words at an @: as a letter it stands in the trigrams, so that part of an address is found.
create index audit_events_by_text on audit_events_sealed
  using gin (replace(actor_search || chr(10) || target_search, '@', 'q') gin_trgm_ops) with (fastupdate = off);

-- For what no month takes.
create table audit_events_other (like audit_events_sealed including defaults including generated, primary key (id));
alter table audit_events_sealed attach partition audit_events_other default;

create function add_audit_months() returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  month timestamp;
  part text;
begin
  for month in
    select generate_series(date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '3 months',
      interval '1 month')
  loop
    part := 'audit_events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    begin
      execute format('create table %I (like audit_events_sealed including defaults including generated, primary key (id))', part);
      execute format('create trigger audit_events_are_never_emptied before truncate on %I
        for each statement execute function refuse_change()', part);
      execute format('alter table audit_events_sealed attach partition %I for values from (%L) to (%L)', part,
        month || '+00', (month + interval '1 month') || '+00');
    exception
      -- The other partition has events of this month.
      when check_violation then null;
    end;
  end loop;
end $$;
comment on function add_audit_months is 'Makes the partitions of this month and the next three.';
select add_audit_months();

-- audit-chain.sql

-- The chain over all events: a table of its own, to which a sealer appends in batches (decision 0038). Who changes, adds or
-- removes an event breaks it.

create table audit_chain (
  seq bigint primary key,
  family text not null,
  event_id uuid not null,
  created_at timestamptz not null,
  digest bytea not null,
  previous_hash bytea not null,
  hash bytea not null
) with (fillfactor = 100);
comment on table audit_chain is 'Sealed events in order. It stays when an event is removed because of its age, so that the chain stays whole.';
comment on column audit_chain.digest is 'Of the event''s content.';
-- An event's place in the chain, for exports of a selection and for removing events because of their age.
create index audit_chain_by_event on audit_chain (event_id);

create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash bytea not null
);
comment on table audit_head is 'The last row of the chain.';
insert into audit_head (seq, hash) values (0, sha256('vestibule audit chain'));
create trigger audit_head_stays before delete on audit_head for each row execute function refuse_change();
create trigger audit_head_is_never_emptied before truncate on audit_head for each statement execute function refuse_change();

-- Prefixed with its length, so that no two different rows read the same. `audit verify` builds the same bytes by itself.
create function audit_field(field text) returns text language sql immutable parallel safe return
  coalesce(octet_length(field)::text || ':' || field, '-');

create function seal_audit_events(most integer, waits boolean default false) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
  first_seq bigint;
  event record;
begin
  if not exists (select from audit_events_new) then return 0; end if;
  if waits then
    begin
      perform set_config('lock_timeout', '1s', true);
      select * into head from audit_head for update;
      perform set_config('lock_timeout', '0', true);
    exception when lock_not_available then return 0;
    end;
  else
    select * into head from audit_head for update skip locked;
    if not found then return 0; end if;
  end if;
  first_seq := head.seq + 1;
  perform set_config('vestibule.sealing', 'on', true);
  for event in
    with due as (
      select ctid from audit_events_new order by queued_at, id limit most
    ), taken as (
      delete from audit_events_new n using due where n.ctid = due.ctid returning n.*
    ), kept as (
      insert into audit_events_sealed (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id,
          created_at, salt)
        select id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at, salt from taken
    )
    select id, created_at, audit_family(name, target_id) as family, microseconds,
      sha256(convert_to(audit_field(id::text) || ',' || audit_field(name) || ',' || audit_field(actor_id::text) || ','
        || audit_field(actor) || ',' || audit_field(target_id) || ',' || audit_field(target) || ','
        || audit_field(array_to_string(organization_ids, ' ')) || ',' || audit_field(changes::text) || ','
        || audit_field(request_id) || ',' || audit_field(microseconds) || ','
        || audit_field(salt::text), 'UTF8')) as digest
    from taken, lateral (select (extract(epoch from created_at) * 1000000)::bigint::text as microseconds) as moment
    order by queued_at, id
  loop
    head.seq := head.seq + 1;
    insert into audit_chain (seq, family, event_id, created_at, digest, previous_hash, hash)
      values (head.seq, event.family, event.id, event.created_at, event.digest, head.hash,
        sha256(head.hash || convert_to(audit_field(head.seq::text) || ',' || audit_field(event.family) || ','
          || audit_field(event.microseconds) || ',' || audit_field(encode(event.digest, 'hex')), 'UTF8')))
      returning hash into head.hash;
  end loop;
  perform set_config('vestibule.sealing', 'off', true);
  update audit_head set seq = head.seq, hash = head.hash;
  return head.seq - first_seq + 1;
end $$;
comment on function seal_audit_events is
  'Moves events that are committed to their months and appends them to the chain; returns how many. While another process does, it waits a second for that one, or does nothing.';

create table audit_checks (
  checked_at timestamptz primary key,
  after_seq bigint not null,
  seq bigint not null,
  fault text,
  signed text,
  constraint intact_checks_are_signed check ((signed is null) = (fault is not null))
);
comment on table audit_checks is 'When the chain was verified, from which row to which, and what was wrong with it.';
comment on column audit_checks.after_seq is 'The row that an earlier check ended with; 0: this one began with the log.';
comment on column audit_checks.signed is 'The last row and its hash, signed by the portal: the next check goes on from there.';
create index audit_checks_of_everything on audit_checks (checked_at) where after_seq = 0;

-- Where events go as they are sealed. A place in the chain for each is all that is kept: a dead endpoint delays no other.
create table audit_streams (
  stream_id uuid primary key,
  kind text not null check (kind in ('webhook', 'syslog', 'stdout')),
  url text,
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  delivered_seq bigint not null,
  last_delivered_at timestamptz,
  next_try_at timestamptz not null,
  failures integer not null default 0,
  last_problem text,
  stopped text check (stopped in ('gone', 'failed')),
  created_at timestamptz not null default now(),
  answers_for uuid references users on delete set null,
  constraint webhook_has_address check ((kind = 'webhook') = (url is not null and secret_sealed is not null))
);
comment on column audit_streams.delivered_seq is 'All events up to this number have been delivered.';
comment on column audit_streams.next_try_at is 'Also the lease of the process that is delivering.';
comment on column audit_streams.failures is 'Attempts in a row that failed.';
comment on column audit_streams.answers_for is
  'Who has read its secret: a webhook gets events while they are a super user, and waits otherwise. Null: the operator''s settings.';
create index audit_streams_by_answering on audit_streams (answers_for) where answers_for is not null;
create unique index audit_stream_of_operator on audit_streams (kind) where kind <> 'webhook';
create unique index audit_stream_to_address on audit_streams (url);

-- audit-removal.sql

-- Old events are removed by family (decision 0041). What the serving role can remove, these functions decide.

create table audit_checkpoints (
  number bigint generated always as identity primary key,
  signed text not null,
  start_seq bigint not null,
  change_before timestamptz not null,
  sign_in_before timestamptz not null,
  unknown_sign_in_before timestamptz not null,
  removed bigint not null default 0,
  created_at timestamptz not null
);
comment on table audit_checkpoints is 'What may be missing from the log. The last one counts; the signature is over the same values and more.';
comment on column audit_checkpoints.start_seq is 'The last row that may be missing from the chain itself.';

create function kept_from(family text, checkpoint audit_checkpoints) returns timestamptz language sql immutable return
  case family
    when 'signIn' then checkpoint.sign_in_before
    when 'unknownSignIn' then checkpoint.unknown_sign_in_before
    else checkpoint.change_before
  end;

create function last_audit_checkpoint() returns audit_checkpoints language sql stable
  as 'select * from audit_checkpoints order by number desc limit 1';

-- Events and rows of the chain may be deleted where a checkpoint says so.
create function refuse_early_removal() returns trigger language plpgsql as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
begin
  if tg_argv[0] = 'event' then
    if old.created_at < kept_from(audit_family(old.name, old.target_id), checkpoint) then return old; end if;
  elsif old.seq <= checkpoint.start_seq then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_are_kept before delete on audit_events_sealed
  for each row execute function refuse_early_removal('event');
create trigger audit_chain_is_kept before delete on audit_chain
  for each row execute function refuse_early_removal('chain');
create trigger audit_chain_never_changes before update on audit_chain for each row execute function refuse_change();
create trigger audit_chain_is_never_emptied before truncate on audit_chain
  for each statement execute function refuse_change();

-- What waits for its place leaves by the sealer alone.
create function refuse_change_but_sealing() returns trigger language plpgsql as $$
begin
  if current_setting('vestibule.sealing', true) = 'on' then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_are_sealed before delete on audit_events_new
  for each row execute function refuse_change_but_sealing();
-- Each partition has this trigger: to truncate one calls none of its table.
create trigger audit_events_are_never_emptied before truncate on audit_events_new
  for each statement execute function refuse_change();
create trigger audit_events_are_never_emptied before truncate on audit_events_sealed
  for each statement execute function refuse_change();
create trigger audit_events_are_never_emptied before truncate on audit_events_other
  for each statement execute function refuse_change();

-- A process whose clock is ahead would remove early.
create function refuse_early_clock(at timestamptz) returns void language plpgsql as $$
begin
  if at > now() + interval '1 day' then
    raise exception 'nothing is removed from the audit log: the clock of this process is ahead of that of the database';
  end if;
end $$;

create function begin_audit_removal(signed text, start_seq bigint, change_before timestamptz, sign_in_before timestamptz,
  unknown_sign_in_before timestamptz, at timestamptz) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  known audit_checkpoints := last_audit_checkpoint();
  next audit_checkpoints;
begin
  perform refuse_early_clock(at);
  -- Whatever a setting or a compromised process says, nothing younger than this is removed.
  if change_before > now() - interval '6 months' or sign_in_before > now() - interval '3 months'
    or unknown_sign_in_before > now() - interval '1 month' then
    raise exception 'these audit events are too young to be removed' using errcode = 'insufficient_privilege';
  end if;
  if change_before < known.change_before or sign_in_before < known.sign_in_before
    or unknown_sign_in_before < known.unknown_sign_in_before or start_seq < known.start_seq then
    raise exception 'a checkpoint cannot bring removed audit events back';
  end if;
  next := (0, signed, start_seq, change_before, sign_in_before, unknown_sign_in_before, 0, at);
  if exists (
    select from audit_chain c where c.seq <= next.start_seq and c.created_at >= kept_from(c.family, next)
  ) then
    raise exception 'these rows of the audit chain are still needed' using errcode = 'insufficient_privilege';
  end if;
  insert into audit_checkpoints (signed, start_seq, change_before, sign_in_before, unknown_sign_in_before, created_at)
    values (next.signed, next.start_seq, next.change_before, next.sign_in_before, next.unknown_sign_in_before, at);
end $$;

create function drop_audit_months() returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
  oldest timestamptz := least(checkpoint.change_before, checkpoint.sign_in_before, checkpoint.unknown_sign_in_before);
  part name;
  events bigint;
  total bigint := 0;
begin
  for part in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit_events_sealed'::regclass and relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$'
      and to_date(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC' + interval '1 month' <= oldest
  loop
    execute format('select count(*) from %I', part) into events;
    execute format('drop table %I', part);
    update audit_checkpoints set removed = removed + events where number = checkpoint.number;
    total := total + events;
  end loop;
  return total;
end $$;
comment on function drop_audit_months is 'Drops the months of which everything is too old; returns how many events they had.';

create function remove_audit_events(most integer, out events integer, out places integer) language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
begin
  with old as (
    (select id, created_at from audit_events
      where name = 'loginFailure' and target_id is null and created_at < checkpoint.unknown_sign_in_before)
    union all
    (select id, created_at from audit_events
      where name in ('loginSuccess', 'loginFailure', 'logout') and created_at < checkpoint.sign_in_before
        and audit_family(name, target_id) = 'signIn')
    union all
    (select id, created_at from audit_events
      where created_at < checkpoint.change_before and audit_family(name, target_id) = 'change')
  ), gone as (
    select id, old.created_at from old join audit_chain c on c.event_id = id and c.created_at = old.created_at
    limit most
  )
  delete from audit_events e using gone where e.id = gone.id and e.created_at = gone.created_at;
  get diagnostics events = row_count;
  update audit_checkpoints set removed = removed + events where number = checkpoint.number and events > 0;
  delete from audit_chain where seq in (
    select seq from audit_chain where seq <= checkpoint.start_seq
      and not exists (select from audit_events e where e.id = event_id and e.created_at = audit_chain.created_at)
    order by seq limit most);
  get diagnostics places = row_count;
end $$;
comment on function remove_audit_events is
  'Removes some of what the last checkpoint says is too old, events and their places in the chain; 0 of both when nothing is left.';

-- audit-erasure.sql

-- A person who was deleted can be erased from the audit log too (decision 0052): a pseudonym takes the place of the address,
-- and the chain stays whole.

create table audit_erasures (
  number bigint generated always as identity primary key,
  signed text not null,
  created_at timestamptz not null
);
comment on table audit_erasures is 'Signed lists of events whose content is no longer the one that was sealed, each with the digest of what is left.';
create trigger audit_erasures_never_change before update or delete on audit_erasures
  for each row execute function refuse_change();
create trigger audit_erasures_are_never_emptied before truncate on audit_erasures
  for each statement execute function refuse_change();

create function keep_audit_erasure(signed text, at timestamptz) returns void language sql security definer
  set search_path = public, pg_temp
  as 'insert into audit_erasures (signed, created_at) values (signed, at)';

-- Labels may become pseudonyms and values of changes may go. Everything else of an event stays.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if (new.id, new.name, new.actor_id, new.target_id, new.organization_ids, new.request_id, new.created_at)
      is not distinct from (old.id, old.name, old.actor_id, old.target_id, old.organization_ids, old.request_id, old.created_at)
    and new.salt is null
    and (new.actor is not distinct from old.actor or new.actor ~ '^erased:[0-9a-f]{8}$')
    and (new.target is not distinct from old.target or new.target ~ '^erased:[0-9a-f]{8}$')
    and jsonb_path_query_array(new.changes, '$[*].property') = jsonb_path_query_array(old.changes, '$[*].property')
  then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_never_change before update on audit_events
  for each row execute function refuse_change_but_erasure();

create function former_addresses(subject text) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct address), '{}') from (
    select target as address from audit_events where target_id = subject
    union all select actor from audit_events where actor_id::text = subject
    union all select email from former_names where account_id::text = subject) known
  -- An address that someone has now is theirs.
  where address like '%_@_%' and not exists (select from users u where u.email = address)
$$;
comment on function former_addresses is 'The addresses in the audit log of someone who was deleted.';

-- Values that say nothing about who it was, once the label is gone.
create function without_person(changes jsonb, pseudonym text, is_target boolean, is_actor boolean, addresses text)
  returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case
    when is_target and property not in ('method', 'client', 'loginMethod', 'userRole', 'superUser', 'portalRole', 'portalRoleFrom', 'portalRoleUntil', 'organization',
        'organizations', 'service', 'services', 'pending', 'passive', 'preferredLanguage')
      or (is_actor or is_target) and property in ('address', 'browser')
    then jsonb_build_object('property', property,
      'previousValue', case when previous is not null then pseudonym end,
      'newValue', case when next is not null then pseudonym end)
    when addresses is null then change
    else jsonb_build_object('property', property,
      'previousValue', regexp_replace(previous, addresses, pseudonym, 'gi'),
      'newValue', regexp_replace(next, addresses, pseudonym, 'gi')) end order by place), '[]')
  from jsonb_array_elements(changes) with ordinality as listed (change, place),
    lateral (select change ->> 'property', change ->> 'previousValue', change ->> 'newValue') as parts (property, previous, next)
$$;

create function erase_from_audit_events(subject text, pseudonym text) returns setof uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known text[] := former_addresses(subject);
  addresses text;
begin
  -- No month leaves for a file with the content of before.
  perform pg_advisory_xact_lock(hashtext('audit cold months'));
  if pseudonym !~ '^erased:[0-9a-f]{8}$' or exists (select from users where account_id::text = subject)
    or exists (select from invitations where invitation_id::text = subject) then
    raise exception 'only who was deleted can be erased' using errcode = 'insufficient_privilege';
  end if;
  if exists (
    select from audit_events_new where target_id = subject or actor_id::text = subject
  ) then
    raise exception 'events wait for their place in the chain' using errcode = 'object_not_in_prerequisite_state';
  end if;
  select '(?<![[:alnum:].+_-])(' || string_agg(regexp_replace(address, '([.+*?^$(){}|\\[\]])', '\\\1', 'g'), '|')
    || ')(?![[:alnum:]-])' into addresses from unnest(known) as listed (address);
  return query
    with found as (
      select e.*, actor_id::text is not distinct from subject as is_actor,
        target_id is not distinct from subject or (target = any (known)
          and not exists (select from users u where u.account_id::text = target_id)
          and not exists (select from invitations i where i.invitation_id::text = target_id)) as is_target
      from audit_events e
      where target_id = subject or actor_id::text = subject or target = any (known) or actor = any (known)
        or changes::text ~* addresses
    ), erased as (
      select id, created_at, changes as before,
        case when is_actor or (actor = any (known) and not exists (select from users u where u.account_id = actor_id))
          then pseudonym else actor end as actor,
        case when is_target then pseudonym else target end as target,
        without_person(changes, pseudonym, is_target, is_actor, addresses) as changes
      from found
    )
    update audit_events e set actor = n.actor, target = n.target, changes = n.changes, salt = null
    from erased n
    where e.id = n.id and e.created_at = n.created_at
      and (e.actor, e.target, e.changes) is distinct from (n.actor, n.target, n.changes)
    returning e.id;
  delete from former_names where account_id::text = subject;
end $$;
comment on function erase_from_audit_events is
  'Puts a pseudonym in the place of someone who was deleted. Without a signed list of the returned events the chain is broken.';

-- audit-cold.sql

-- Old months of the audit log in files outside the database. A checkpoint of audit-removal.sql lets their events and rows go; what
-- is here says where the chain goes on, so that it is verified over the files, or from one month to the next without them.

create table audit_cold_months (
  month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  last_seq bigint not null unique,
  signed text not null,
  created_at timestamptz not null
);
comment on table audit_cold_months is 'Months of the audit log that are in files.';
comment on column audit_cold_months.last_seq is 'The last row of the chain that is in the file.';
comment on column audit_cold_months.signed is 'The file, its SHA-256, and the rows before its first one and at its end, signed by the portal.';

create function audit_month_end(month text) returns timestamptz language sql stable return
  to_date(month, 'YYYY-MM')::timestamp at time zone 'UTC' + interval '1 month';

create function refuse_young_month(month text) returns void language plpgsql as $$
begin
  if audit_month_end(month) > now() - interval '6 months' then
    raise exception 'this month of the audit log is too young' using errcode = 'insufficient_privilege';
  end if;
end $$;

create function keep_cold_month(month text, last_seq bigint, signed text, at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refuse_young_month(month);
  if exists (
    select from audit_cold_months known
    where known.month >= keep_cold_month.month or known.last_seq >= keep_cold_month.last_seq
  ) then
    raise exception 'a later month is in cold storage already' using errcode = 'unique_violation';
  end if;
  insert into audit_cold_months (month, last_seq, signed, created_at) values (month, last_seq, signed, at);
end $$;

create function forget_cold_month(month text, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refuse_early_clock(at);
  perform refuse_young_month(month);
  delete from audit_cold_months known where known.month = forget_cold_month.month;
  return found;
end $$;
comment on function forget_cold_month is 'Of a month that is too old, with its file; whether it was there.';

-- figures.sql

-- What the home page counts, per day and organisation (decision 0032).

create table daily_figures (
  organization_id uuid,
  day date not null,
  figure text not null check (figure in ('signIn', 'failedSignIn', 'activePerson', 'acceptedInvitation')),
  method text not null default '',
  count integer not null,
  constraint daily_figure_once unique nulls not distinct (organization_id, day, figure, method)
) with (fillfactor = 50);
comment on table daily_figures is 'Kept by count_sealed_events. Days are those of Sweden.';
comment on column daily_figures.organization_id is
  'Null: the whole portal. No reference: an event may be written after its organisation was deleted.';
comment on column daily_figures.method is 'How people signed in, for signIn alone.';
create index daily_figures_by_day on daily_figures (day);

create table daily_people (
  day date not null,
  organization_id uuid,
  account_id uuid not null,
  constraint daily_person_once unique nulls not distinct (day, organization_id, account_id)
);
comment on table daily_people is 'Who signed in on a day, so that nobody is counted twice. Rows of past days are removed.';

-- The counts follow the chain in a transaction of their own.
create table daily_figures_until (
  only_row boolean primary key default true check (only_row),
  seq bigint not null
);
comment on table daily_figures_until is 'The last place of the chain that daily_figures and daily_people count.';
insert into daily_figures_until (seq) values (0);

create function count_sealed_events(most integer) returns integer language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  counted_before bigint;
  counted_now bigint;
begin
  select u.seq, least(u.seq + most, head.seq) into counted_before, counted_now
    from daily_figures_until u, audit_head head where head.seq > u.seq and most > 0 for update of u skip locked;
  if not found then return 0; end if;
  with counted as materialized (
    select (e.created_at at time zone 'Europe/Stockholm')::date as day, place, name, actor_id,
      case name when 'loginSuccess'
        then coalesce(jsonb_path_query_first(changes, '$[*] ? (@.property == "method")') ->> 'newValue', 'password')
        else '' end as method,
      case name when 'loginFailure'
        then coalesce((jsonb_path_query_first(changes, '$[*] ? (@.property == "count")') ->> 'newValue')::integer, 1)
        else 1 end as times
    from audit_chain c join audit_events_sealed e on e.id = c.event_id and e.created_at = c.created_at,
      -- A sign-in of a person of several organisations is for none of them to know (security 84): the portal alone counts it.
      unnest(array[null::uuid] || case when cardinality(organization_ids) > 1 and name in ('loginSuccess', 'loginFailure')
        then '{}' else organization_ids end) as place
    where c.seq > counted_before and c.seq <= counted_now and name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization')
  ), first_today as (
    insert into daily_people (day, organization_id, account_id)
      select distinct day, place, actor_id from counted where name = 'loginSuccess' and actor_id is not null
      on conflict do nothing
      returning day, organization_id
  )
  insert into daily_figures as known (organization_id, day, figure, method, count)
    select place, day,
      case name when 'loginSuccess' then 'signIn' when 'loginFailure' then 'failedSignIn' else 'acceptedInvitation' end as figure,
      method, sum(times)
    from counted group by place, day, figure, method
    union all
    select organization_id, day, 'activePerson', '', count(*) from first_today group by organization_id, day
    on conflict on constraint daily_figure_once do update set count = known.count + excluded.count;
  update daily_figures_until set seq = counted_now;
  return counted_now - counted_before;
end $$;
comment on function count_sealed_events is
  'Adds the next places of the chain to the figures of their days; returns how many. While another process does, it does nothing.';

-- operation.sql

-- The installation as a whole: its running processes and their recurring jobs.

create table installation (
  id boolean primary key default true check (id),
  quarantined_since timestamptz
);
insert into installation default values;
comment on table installation is 'One row: facts about this copy of the data as a whole.';
-- A restored copy sends nothing until an operator says that it may (decision 0046).
comment on column installation.quarantined_since is 'While it is set nothing leaves: no mail, SMS, webhook or sign-out, and no job runs.';

create table nodes (
  node_id uuid primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  master_keys text[] not null default '{}'
);
comment on column nodes.master_keys is 'Fingerprints of the master keys that the process holds: a new one replaces the old when all processes hold it.';
comment on table nodes is 'One row per running process, which writes seen_at twice a minute and removes its row when it stops.';

create table job_runs (
  name text primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  failed boolean not null default false
);
comment on table job_runs is 'The latest run of each recurring job, on any node.';

-- service-roles.sql

-- Roles that services declare, who holds them, and what invitations promise of them.

create table service_roles (
  role_id uuid primary key,
  service_id uuid not null references services on delete cascade,
  key text collate "C" not null check (key ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,49}$'
    and key not in ('regular', 'serviceAdmin', 'organizationAdmin', 'superUser')),
  name_sv text not null check (name_sv <> ''),
  name_en text check (name_en <> ''),
  name_fi text check (name_fi <> ''),
  name_fr text check (name_fr <> ''),
  description_sv text check (description_sv <> ''),
  description_en text check (description_en <> ''),
  description_fi text check (description_fi <> ''),
  description_fr text check (description_fr <> ''),
  needs_two_factors boolean not null default false,
  max_people integer check (max_people > 0),
  excludes text[] not null default '{}' check (key <> all (excludes)),
  removed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint service_role_key_once unique (service_id, key),
  constraint service_role_of_service unique (service_id, role_id)
);
comment on table service_roles is
  'What a service calls the roles of its own. A removed one stays: its key is never used again, because services have stored it.';
comment on column service_roles.max_people is 'Of each organisation.';
comment on column service_roles.excludes is 'Keys of roles of the same service that nobody holds beside this one, in either direction.';

create function keep_service_role() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from services where service_id = old.service_id) then return old; end if;
  elsif (new.role_id, new.service_id, new.key) = (old.role_id, old.service_id, old.key) and old.removed_at is null then
    return new;
  end if;
  raise exception 'a role''s key keeps its meaning' using errcode = 'check_violation', constraint = 'service_role_keeps_key';
end $$;
comment on function keep_service_role is 'A role is never renamed, brought back or deleted, except with its service.';
create trigger keep_service_role before update or delete on service_roles
  for each row execute function keep_service_role();

alter table all_grants
  -- Who loses the service loses its roles.
  add constraint role_in_held_service foreign key (account_id, organization_id, in_service_id)
    references service_assignments (account_id, organization_id, service_id) on delete cascade,
  add constraint role_of_service foreign key (in_service_id, service_role_id)
    references service_roles (service_id, role_id) on delete cascade;

create view service_role_assignments as
  select account_id, organization_id, in_service_id as service_id, service_role_id as role_id, source, valid_from, valid_until, created_at
  from all_grants where in_service_id is not null;
comment on view service_role_assignments is 'Who has which role within a service, also one that begins later or has ended.';
grant select on service_role_assignments to public;

create function check_service_roles() returns trigger language plpgsql as $$
begin
  if not exists (select from handed_out where in_service_id is not null) then
    return null;
  end if;
  -- Those who hand out a service in an organisation take turns, as for its seats.
  perform from organization_services
    where (organization_id, service_id) in (select organization_id, in_service_id from handed_out)
    order by organization_id, service_id for no key update;
  -- A change of a rule waits for those who hand out by the old one.
  perform from service_roles where role_id in (select service_role_id from handed_out) order by role_id for share;
  if exists (select from handed_out h join service_roles r on r.role_id = h.service_role_id where r.removed_at is not null) then
    raise exception 'the role was removed' using errcode = 'check_violation', constraint = 'service_role_removed';
  end if;
  if exists (
    select from (select distinct organization_id, service_role_id as role_id from handed_out) h join service_roles r using (role_id)
    where r.max_people < (
      select count(*) from service_role_assignments a
      where a.service_id = r.service_id and a.role_id = r.role_id and a.organization_id = h.organization_id)
  ) then
    raise exception 'too many have the role' using errcode = 'check_violation', constraint = 'service_role_full';
  end if;
  if exists (
    select from handed_out h join service_roles r on r.role_id = h.service_role_id
      join service_role_assignments a on a.account_id = h.account_id and a.organization_id = h.organization_id
        and a.service_id = h.in_service_id
      join service_roles other on other.role_id = a.role_id
    where (other.key = any (r.excludes) or r.key = any (other.excludes))
  ) then
    raise exception 'roles exclude each other' using errcode = 'check_violation', constraint = 'service_roles_exclude';
  end if;
  return null;
end $$;
create trigger check_new_service_roles after insert on all_grants
  referencing new table as handed_out for each statement execute function check_service_roles();
create trigger check_changed_service_roles after update on all_grants
  referencing new table as handed_out for each statement execute function check_service_roles();

create table invitation_service_roles (
  invitation_id uuid not null,
  service_id uuid not null,
  role_id uuid not null,
  -- Nobody gives a role that they no longer have.
  promised_by uuid references users on delete cascade,
  primary key (invitation_id, service_id, role_id),
  foreign key (invitation_id, service_id) references invitation_services on delete cascade,
  foreign key (service_id, role_id) references service_roles (service_id, role_id) on delete cascade
);
comment on table invitation_service_roles is 'What an invitation promises. Limits are checked when it is accepted.';
create index invitation_service_roles_by_promiser on invitation_service_roles (promised_by) where promised_by is not null;
create index invitation_service_roles_by_role on invitation_service_roles (service_id, role_id);

-- Gives the roles that an invitation promises, of the services that its person has got. One whose promiser may give it no
-- more, that is full by now, or that
-- another one excludes, is left out, as a service without a free seat is.
create function take_promised_roles(invitation uuid, account uuid) returns void language plpgsql as $$
declare
  promised record;
begin
  for promised in
    select p.role_id, a.organization_id, a.service_id, p.promised_by
    from invitation_service_roles p join invitations i using (invitation_id)
      cross join promised_until(p.promised_by, i.organization_id, array['assignServices'])
      join service_assignments a on a.account_id = account and a.organization_id = i.organization_id and a.service_id = p.service_id
      join service_roles r on r.role_id = p.role_id
    where p.invitation_id = invitation order by a.service_id, r.key
  loop
    begin
      insert into all_grants (account_id, organization_id, in_service_id, service_role_id, given_by)
        values (account, promised.organization_id, promised.service_id, promised.role_id, promised.promised_by);
    exception when check_violation then null;
    end;
  end loop;
end $$;

create function give_service_roles(account uuid, organization uuid, roles jsonb) returns void language plpgsql as $$
declare
  given record;
begin
  for given in
    select r.role_id, a.service_id, w."validFrom" as valid_from, w."validUntil" as valid_until
    from jsonb_to_recordset(roles) as w ("roleId" uuid, "validFrom" date, "validUntil" date)
      join service_roles r on r.role_id = w."roleId"
      join service_assignments a on a.account_id = account and a.organization_id = organization and a.service_id = r.service_id
    order by a.service_id, r.key
  loop
    begin
      insert into all_grants as h (account_id, organization_id, in_service_id, service_role_id, valid_from, valid_until)
        values (account, organization, given.service_id, given.role_id, given.valid_from, given.valid_until)
        -- A group has given it first.
        on conflict on constraint grant_once do update
          set source = 'hand', valid_from = excluded.valid_from, valid_until = excluded.valid_until where h.source = 'group';
    exception when check_violation then null;
    end;
  end loop;
end $$;
comment on function give_service_roles is
  'Gives somebody these roles, with their days, of the services that they have. One that was removed, is full, or that another one excludes is left out.';

-- group-access.sql

-- What people have because they are in a group: assignments and roles follow group_members, group_services and
-- group_service_roles (server/accounts/group-access.ts).

create table group_service_roles (
  group_id uuid not null,
  service_id uuid not null,
  role_id uuid not null,
  primary key (group_id, role_id),
  foreign key (group_id, service_id) references group_services on delete cascade,
  foreign key (service_id, role_id) references service_roles (service_id, role_id) on delete cascade
);
comment on table group_service_roles is 'The roles of its services that a group gives.';
create index group_service_roles_by_service on group_service_roles (group_id, service_id);
create index group_service_roles_by_role on group_service_roles (service_id, role_id);

create view group_role_grants as
  select g.*, r.role_id from group_grants g join group_service_roles r using (group_id, service_id);
grant select on group_role_grants to public;

create view current_service_roles as
  select h.account_id, h.organization_id, h.service_id, h.role_id
  from service_role_assignments h join service_assignments a using (account_id, organization_id, service_id)
  where h.source = 'hand' and is_current(h.valid_from, h.valid_until) and is_current(a.valid_from, a.valid_until)
    or exists (
      select from group_role_grants g where g.account_id = h.account_id and g.organization_id = h.organization_id
        and g.service_id = h.service_id and g.role_id = h.role_id and is_current(g.valid_from, g.valid_until));
comment on view current_service_roles is
  'The roles that count today: a role by hand with its days and those of the service, one by a group with those of the group.';
grant select on current_service_roles to public;

create table invitation_groups (
  invitation_id uuid not null,
  organization_id uuid not null,
  group_id uuid not null,
  promised_by uuid references users on delete cascade,
  valid_from date,
  valid_until date,
  primary key (invitation_id, group_id),
  constraint promised_group_period check (valid_until >= valid_from),
  foreign key (invitation_id, organization_id) references invitations (invitation_id, organization_id) on delete cascade,
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade
);
comment on table invitation_groups is 'The groups that an invitation puts its person in, while the promiser may still do so.';
create index invitation_groups_by_group on invitation_groups (group_id);
create index invitation_groups_by_promiser on invitation_groups (promised_by) where promised_by is not null;

create view waiting_grants as
  select account_id, organization_id, service_id, group_id, since, null::uuid as role_id from group_grants g
  where not has_ended and not exists (
    select from service_assignments a
    where a.account_id = g.account_id and a.organization_id = g.organization_id and a.service_id = g.service_id offset 0)
  union all
  select account_id, organization_id, service_id, group_id, since, role_id from group_role_grants g
  where not has_ended and not exists (
    select from service_role_assignments h where h.account_id = g.account_id and h.organization_id = g.organization_id
      and h.service_id = g.service_id and h.role_id = g.role_id offset 0);
comment on view waiting_grants is
  'What groups give and somebody does not have yet: a service waits for a seat, a role for its rules or the service.';
grant select on waiting_grants to public;

create function has_rights(account uuid, organization uuid) returns boolean language sql stable as $$
  select exists (
    select from memberships m where m.account_id = account and m.organization_id = organization and m.user_role <> 'regular'
    union all select from all_grants g where g.account_id = account and g.organization_id = organization and g.scope <> 'inService'
    union all select from service_assignments a
      where a.account_id = account and a.organization_id = organization and a.user_role <> 'regular')
$$;
comment on function has_rights is
  'Whether people have made somebody more than a member of an organisation, on whatever day that begins or ends; what a directory gives, it takes back.';

-- factors.sql

-- Second factors of accounts, other than codes by mail and text message.

create table authenticator_apps (
  account_id uuid primary key references users on delete cascade,
  secret_sealed bytea not null,
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table authenticator_apps is 'Authenticator apps that people have set up (TOTP, RFC 6238): one for each account.';
comment on column authenticator_apps.secret_sealed is '160 random bits, AES-256-GCM.';
comment on column authenticator_apps.last_step is
  'The time step of the last code that was accepted. It only moves forward, so that no code works twice, on any node.';

create table recovery_codes (
  code_hash bytea primary key,
  account_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz
);
comment on table recovery_codes is 'Codes that stand in for a lost factor, each once. A new set replaces the old one.';
comment on column recovery_codes.code_hash is 'SHA-256: a code has 120 random bits.';
create index recovery_codes_by_account on recovery_codes (account_id);

-- passkeys.sql

-- Passkeys and security keys (WebAuthn). Nothing here is secret: the keys are public ones.

create table passkey_holders (
  account_id uuid primary key references users on delete cascade,
  user_handle bytea not null check (octet_length(user_handle) = 32),
  offer_after timestamptz,
  asked_on_the_way_at timestamptz,
  constraint passkey_user_handle_unique unique (user_handle)
);
comment on column passkey_holders.user_handle is
  'What authenticators call the account. Random, and not the account''s id, which travels in tokens and says when the account was made.';
comment on column passkey_holders.offer_after is 'The person said "not now": a passkey is not offered before.';
comment on column passkey_holders.asked_on_the_way_at is
  'When the browser was last asked to make a passkey by itself after a sign-in (conditional create).';

create table passkeys (
  id uuid primary key,
  account_id uuid not null references passkey_holders on delete cascade,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  rp_id text not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  aaguid uuid not null,
  discoverable boolean not null,
  verified boolean not null,
  on_the_way boolean not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  created_browser text not null,
  created_amr text[] not null,
  last_used_at timestamptz,
  last_used_browser text,
  ended_at timestamptz,
  ended_because text check (ended_because in ('removed', 'counter', 'moved', 'companySignIn', 'notMe')),
  constraint passkey_end_whole check ((ended_at is null) = (ended_because is null)),
  constraint passkey_credential_unique unique (credential_id)
);
comment on table passkeys is
  'One row per key that was ever registered: ended ones stay as the record of which authenticators an account had (NIST SP 800-63B, 4.1).';
comment on column passkeys.public_key is 'In COSE form, as the authenticator gave it.';
comment on column passkeys.rp_id is 'The domain that the key is bound to (PASSKEY_RP_ID at the time).';
comment on column passkeys.counter is 'How often the key says that it signed; 0 for keys that do not count, as synced ones.';
comment on column passkeys.discoverable is 'Kept in the authenticator, which finds it without a list: a passkey. Others are security keys, for after the password.';
comment on column passkeys.verified is 'The authenticator has verified its user, by PIN, finger or face, at least once.';
comment on column passkeys.on_the_way is 'Made by the browser by itself after a sign-in: no second factor before it is verified.';
comment on column passkeys.created_amr is 'What the session had proven that registered it (RFC 8176).';
create index passkeys_by_account on passkeys (account_id, created_at);

-- Who comes through a company's sign-in gets no key of their own: it would outlive the account there (decision 0067).
create function end_passkeys_of_company_account() returns trigger language plpgsql as $$
begin
  update passkeys set ended_at = now(), ended_because = 'companySignIn' where account_id = new.account_id and ended_at is null;
  return null;
end $$;
create trigger end_passkeys_of_company_account after update of login_method on users
  for each row when (new.login_method in ('saml') and old.login_method not in ('saml')) execute function end_passkeys_of_company_account();

-- recoveries.sql

-- Help for people who have lost every second factor.

create table recoveries (
  account_id uuid primary key references users on delete cascade,
  asked_by uuid not null references users on delete cascade,
  reason text not null check (reason <> ''),
  asked_at timestamptz not null,
  due_at timestamptz not null
);
comment on table recoveries is
  'An admin asked that the second factors of an account end; the person was mailed and can stop it. The row goes when it is done or stopped; the audit log has both.';
create index recoveries_due on recoveries (due_at);
create index recoveries_by_asker on recoveries (asked_by);
