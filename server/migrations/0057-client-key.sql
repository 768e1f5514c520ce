alter table saml_configs
  add column client_key boolean not null default false,
  drop constraint saml_config_of_its_kind,
  add constraint saml_config_of_its_kind check (
    case kind
      when 'saml' then certificate <> '' and num_nonnulls(client_id, client_secret_sealed, client_secret_set_at) = 0
        and not client_key
      else certificate = '' and client_id <> ''
        and num_nulls(client_secret_sealed, client_secret_set_at) = case when client_key then 2 else 0 end
    end);
comment on column saml_configs.client_key is
  'The portal proves who it is at the organisation''s OpenID Provider by its key (private_key_jwt), not by a secret.';
