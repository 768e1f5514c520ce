-- A configuration of an organisation's sign-in is of SAML or of OpenID Connect. The old version makes SAML ones; one of
-- OpenID Connect has no certificate there, so it takes no answer for it and its nightly jobs pass it by.
alter table saml_configs
  add column kind text not null default 'saml' check (kind in ('saml', 'oidc')),
  add column client_id text,
  add column client_secret_sealed bytea,
  add column client_secret_set_at timestamptz,
  drop constraint saml_configs_certificate_check,
  add constraint saml_config_of_its_kind check (
    case kind
      when 'saml' then certificate <> '' and num_nonnulls(client_id, client_secret_sealed, client_secret_set_at) = 0
      else certificate = '' and client_id <> '' and num_nulls(client_id, client_secret_sealed, client_secret_set_at) = 0
    end);
comment on column saml_configs.url is 'SAML: the address for sign-in. OpenID Connect: the issuer.';
comment on column saml_configs.client_id is 'What the organisation''s OpenID Provider calls this portal.';
