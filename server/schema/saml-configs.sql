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
