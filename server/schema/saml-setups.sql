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
