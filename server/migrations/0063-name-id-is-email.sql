-- Some identity providers send the address as a NameID of another format, for one persistent.
alter table saml_configs add column name_id_is_email boolean not null default false;
