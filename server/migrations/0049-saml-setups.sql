create table saml_setups (
  setup_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  saml_config_id integer not null unique,
  state text not null default 'open' check (state in ('open', 'handedIn', 'approved', 'revoked')),
  draft jsonb,
  tested jsonb,
  rejection text check (rejection <> ''),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  handed_in_at timestamptz,
  version integer not null default 1,
  constraint handed_in_has_draft check (state not in ('handedIn', 'approved') or draft is not null)
);
comment on table saml_setups is 'Links by which the IT of an organisation prepares its SAML configuration, without an account.';
comment on column saml_setups.saml_config_id is
  'Reserved for the configuration that the draft becomes: the addresses that the IT enters on its side contain it.';
comment on column saml_setups.draft is 'What the metadata of the identity provider says.';
comment on column saml_setups.tested is 'The last test sign-in with this draft: no personal data. Null after a change of the draft.';
comment on column saml_setups.rejection is 'Why a super user sent the last draft back.';
create index saml_setups_by_organization on saml_setups (organization_id);
create index saml_setups_by_expiry on saml_setups (expires_at);

-- The serving role has no right to the sequence of an identity column.
create function reserve_saml_config_id() returns integer language sql security definer
  as $$ select nextval(pg_get_serial_sequence('saml_configs', 'id'))::integer $$;
do $$
begin
  execute format('alter function reserve_saml_config_id() set search_path = %I, pg_temp', current_schema());
end $$;
