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
  second_factors text[] check (second_factors <> '{}' and second_factors <@ array[{{secondFactors}}]),
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
  constraint organization_saml_config_required check (login_method not in ({{companyMethods}}) or saml_config_id is not null)
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
