alter table saml_configs
  add column name_id_format text check (name_id_format in ('emailAddress', 'persistent', 'transient', 'unspecified')),
  add column authn_contexts text,
  add column ssn_attribute text,
  add column email_attribute text;
comment on column saml_configs.name_id_format is 'The format of the NameID that is asked for. Null: any.';
comment on column saml_configs.authn_contexts is
  'Authentication context classes of which the identity provider must have used one, a line each. Null: any.';
comment on column saml_configs.ssn_attribute is 'The attribute with the personal number. Null: those that identity providers use.';
comment on column saml_configs.email_attribute is 'The attribute with the address. Null: those that identity providers use, else the NameID.';
