create table users (
  account_id uuid primary key,
  email text collate "C" not null,
  first_name text collate "sv-x-icu",
  last_name text collate "sv-x-icu",
  ssn_sealed bytea,
  ssn_index bytea,
  phone_number text check (phone_number ~ '^\+46[0-9]{7,13}$'),
  preferred_language text check (preferred_language in ('en', 'sv', 'fi', 'fr')),
  login_method text not null check (is_login_method(login_method)),
  saml_config_id integer references saml_configs on delete restrict,
  super_user boolean not null default false,
  pending boolean not null default false,
  password_hash text,
  password_must_change boolean not null default false,
  password_changed_at timestamptz,
  auth_epoch integer not null default 1,
  max_passive_days integer check (max_passive_days between 1 and 36500),
  passive_at timestamptz,
  last_login timestamptz,
  last_active timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint user_email_unique unique (email),
  constraint user_email_canonical check (email = lower(email) and length(email) between 3 and 254),
  constraint user_ssn_unique unique (ssn_index),
  constraint user_ssn_whole check ((ssn_sealed is null) = (ssn_index is null)),
  constraint user_names check (pending or (first_name <> '' and last_name <> '')),
  constraint user_saml_config_required check (login_method <> 'saml' or saml_config_id is not null),
  constraint user_password_is_local check (password_hash is null or login_method in ('local', 'local2FA')),
  constraint user_super_is_never_passive check (not super_user or passive_at is null)
);
comment on column users.ssn_sealed is 'Personal identity number, AES-256-GCM; the key id is in the sealed value.';
comment on column users.ssn_index is 'HMAC of the personal identity number: finds and keeps it unique without opening it.';
comment on column users.auth_epoch is 'Raised to end every session of the account at once, on every node.';
comment on column users.passive_at is 'Set when the person was away for too long: sign-in is refused until someone updates last_active.';
create index users_by_saml_config on users (saml_config_id);
create index users_by_mail_domain on users (split_part(email, '@', 2));
create index super_users on users (account_id) where super_user and not pending;

create table memberships (
  account_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  user_role text not null default 'regular' check (user_role in ('regular', 'organizationAdmin')),
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id)
);
create index memberships_by_organization on memberships (organization_id, account_id);

create table service_assignments (
  account_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  user_role text not null default 'regular' check (user_role in ('regular', 'serviceAdmin')),
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id, service_id),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
create index service_assignments_by_service on service_assignments (organization_id, service_id, account_id);

create function count_seats() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update organization_services set seats_used = seats_used - 1
      where organization_id = old.organization_id and service_id = old.service_id;
  end if;
  if tg_op <> 'DELETE' then
    update organization_services set seats_used = seats_used + 1
      where organization_id = new.organization_id and service_id = new.service_id;
  end if;
  return null;
end $$;
create trigger count_seats after insert or delete or update of organization_id, service_id on service_assignments
  for each row execute function count_seats();

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

create table invitations (
  invitation_id uuid primary key,
  account_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  email text collate "C" not null,
  login_method text not null check (is_login_method(login_method)),
  message text,
  invited_by uuid references users on delete set null,
  token_version integer not null default 1,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  created_at timestamptz not null default now(),
  constraint invitation_once unique (account_id, organization_id)
);
comment on column invitations.token_version is
  'The link''s token is HMAC(key, invitation_id, token_version): it can be shown again, nothing secret is stored, raising the version revokes it.';
create index invitations_by_organization on invitations (organization_id);
