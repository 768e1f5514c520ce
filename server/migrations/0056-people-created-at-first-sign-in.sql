alter table organizations add column create_at_sign_in boolean not null default false;
comment on column organizations.create_at_sign_in is
  'Unknown people with an address in a domain of its organisation sign-in become members when they sign in.';
-- Of several organisations with one configuration nobody could say which one a person belongs to.
create unique index organizations_create_at_sign_in on organizations (saml_config_id) where create_at_sign_in;

alter table organization_services add column at_first_sign_in boolean not null default false;
comment on column organization_services.at_first_sign_in is 'People who are created when they sign in get it while seats last.';

alter table saml_configs
  add column first_name_attribute text,
  add column last_name_attribute text;
comment on column saml_configs.first_name_attribute is 'The attribute with the first name. Null: those that identity providers use.';
comment on column saml_configs.last_name_attribute is 'The attribute with the last name. Null: those that identity providers use.';

alter table saml_sign_ins add column created boolean not null default false;
comment on column saml_sign_ins.created is 'The account was created by this sign-in.';
