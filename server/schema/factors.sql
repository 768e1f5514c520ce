-- Second factors of accounts, other than codes by mail and text message.

create table authenticator_apps (
  account_id uuid primary key references users on delete cascade,
  secret_sealed bytea not null,
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table authenticator_apps is 'Authenticator apps that people have set up (TOTP, RFC 6238): one for each account.';
comment on column authenticator_apps.secret_sealed is '160 random bits, AES-256-GCM.';
comment on column authenticator_apps.last_step is
  'The time step of the last code that was accepted. It only moves forward, so that no code works twice, on any node.';

create table recovery_codes (
  code_hash bytea primary key,
  account_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz
);
comment on table recovery_codes is 'Codes that stand in for a lost factor, each once. A new set replaces the old one.';
comment on column recovery_codes.code_hash is 'SHA-256: a code has 120 random bits.';
create index recovery_codes_by_account on recovery_codes (account_id);
