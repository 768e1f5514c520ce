-- The old version makes configurations that do not offer it.
alter table saml_configs add column encryption_enabled boolean not null default false;
comment on column saml_configs.encryption_enabled is 'Our metadata has a certificate for encryption. An encrypted assertion is taken either way.';
