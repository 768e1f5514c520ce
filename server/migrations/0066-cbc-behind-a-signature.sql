alter table saml_configs
  add column cbc_allowed boolean not null default false,
  add constraint saml_config_cbc_signed check (not cbc_allowed or want_authn_response_signed is true);
comment on column saml_configs.cbc_allowed is
  'Assertions that are encrypted by AES-CBC are decrypted, behind the verified signature of the whole response.';
