create table certificate_warnings (
  saml_config_id integer not null references saml_configs on delete cascade,
  valid_to timestamptz not null,
  days_before smallint not null check (days_before in (60, 30, 7, 1)),
  primary key (saml_config_id, valid_to, days_before)
);
comment on table certificate_warnings is
  'Mails to super users about the end of the certificates of a configuration; each is sent once. A new certificate has another end.';
