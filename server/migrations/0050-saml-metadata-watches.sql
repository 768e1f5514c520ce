create table saml_metadata_watches (
  saml_config_id integer primary key references saml_configs on delete cascade,
  address text not null check (address ~ '^https?://'),
  checked_at timestamptz,
  problem text,
  certificates text not null default ''
);
comment on table saml_metadata_watches is 'Where identity providers publish their metadata, and what it said when it was last read.';
comment on column saml_metadata_watches.problem is 'The key of a message. Null: it was read.';
comment on column saml_metadata_watches.certificates is 'PEM. Those that the configuration does not have count only once a super user has confirmed them.';
