-- Configurations of before stay on, and so does one that the old version makes meanwhile.
alter table saml_configs add column active boolean not null default true;
comment on column saml_configs.active is 'Off: the portal sends nobody to this identity provider and takes no sign-in from it; a test sign-in works.';
