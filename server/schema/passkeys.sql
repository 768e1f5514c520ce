-- Passkeys and security keys (WebAuthn). Nothing here is secret: the keys are public ones.

create table passkey_holders (
  account_id uuid primary key references users on delete cascade,
  user_handle bytea not null check (octet_length(user_handle) = 32),
  offer_after timestamptz,
  asked_on_the_way_at timestamptz,
  constraint passkey_user_handle_unique unique (user_handle)
);
comment on column passkey_holders.user_handle is
  'What authenticators call the account. Random, and not the account''s id, which travels in tokens and says when the account was made.';
comment on column passkey_holders.offer_after is 'The person said "not now": a passkey is not offered before.';
comment on column passkey_holders.asked_on_the_way_at is
  'When the browser was last asked to make a passkey by itself after a sign-in (conditional create).';

create table passkeys (
  id uuid primary key,
  account_id uuid not null references passkey_holders on delete cascade,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  rp_id text not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  aaguid uuid not null,
  discoverable boolean not null,
  verified boolean not null,
  on_the_way boolean not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  created_browser text not null,
  created_amr text[] not null,
  last_used_at timestamptz,
  last_used_browser text,
  ended_at timestamptz,
  ended_because text check (ended_because in ('removed', 'counter', 'moved', 'companySignIn', 'notMe')),
  constraint passkey_end_whole check ((ended_at is null) = (ended_because is null)),
  constraint passkey_credential_unique unique (credential_id)
);
comment on table passkeys is
  'One row per key that was ever registered: ended ones stay as the record of which authenticators an account had (NIST SP 800-63B, 4.1).';
comment on column passkeys.public_key is 'In COSE form, as the authenticator gave it.';
comment on column passkeys.rp_id is 'The domain that the key is bound to (PASSKEY_RP_ID at the time).';
comment on column passkeys.counter is 'How often the key says that it signed; 0 for keys that do not count, as synced ones.';
comment on column passkeys.discoverable is 'Kept in the authenticator, which finds it without a list: a passkey. Others are security keys, for after the password.';
comment on column passkeys.verified is 'The authenticator has verified its user, by PIN, finger or face, at least once.';
comment on column passkeys.on_the_way is 'Made by the browser by itself after a sign-in: no second factor before it is verified.';
comment on column passkeys.created_amr is 'What the session had proven that registered it (RFC 8176).';
create index passkeys_by_account on passkeys (account_id, created_at);

-- Who comes through a company's sign-in gets no key of their own: it would outlive the account there (decision 0067).
create function end_passkeys_of_company_account() returns trigger language plpgsql as $$
begin
  update passkeys set ended_at = now(), ended_because = 'companySignIn' where account_id = new.account_id and ended_at is null;
  return null;
end $$;
create trigger end_passkeys_of_company_account after update of login_method on users
  for each row when (new.login_method in ({{companyMethods}}) and old.login_method not in ({{companyMethods}})) execute function end_passkeys_of_company_account();
