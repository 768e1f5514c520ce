-- What an organisation's identity provider answered, to find out why somebody could not sign in.
create table saml_sign_ins (
  id uuid primary key,
  saml_config_id integer not null references saml_configs on delete cascade,
  created_at timestamptz not null,
  email text,
  failure text,
  detail text,
  reference text not null
);
create index saml_sign_ins_by_config on saml_sign_ins (saml_config_id, created_at desc, id desc);
create index saml_sign_ins_by_time on saml_sign_ins (created_at);
comment on table saml_sign_ins is 'Kept for 14 days. Audit events say the same for longer, but not to look for a reference in.';
comment on column saml_sign_ins.failure is 'Null: accepted.';
comment on column saml_sign_ins.email is 'As the answer names the person, or as it was typed.';
