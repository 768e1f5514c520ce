-- The directories of organisations, which send their people by SCIM.

create table scim_tokens (
  token_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null check (name <> ''),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  warned_days smallint,
  setup_id uuid references saml_setups on delete set null
);
comment on table scim_tokens is 'By which the directory of an organisation calls. The token itself is not stored.';
comment on column scim_tokens.warned_days is 'The last warning that was mailed: so many days before the end.';
comment on column scim_tokens.setup_id is 'The set-up link by which the IT of the organisation made it.';
create index scim_tokens_by_setup on scim_tokens (setup_id) where setup_id is not null;
create index scim_tokens_by_organization on scim_tokens (organization_id);
create index scim_tokens_by_end on scim_tokens (expires_at);

create table scim_users (
  scim_user_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_name text not null check (user_name <> ''),
  user_name_folded text collate "C" not null generated always as (folded(user_name)) stored,
  external_id text,
  attributes jsonb not null,
  mails text[] not null default '{}',
  active boolean not null,
  email text collate "C" not null,
  account_id uuid references users on delete set null,
  kept jsonb,
  waits boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint scim_user_name_taken unique (organization_id, user_name_folded)
);
comment on table scim_users is
  'People as the directory of an organisation sees them, apart from accounts: an id of its own, and the values as they were sent.';
comment on column scim_users.attributes is 'What the directory sent, of the attributes that are kept; without userName, externalId and active.';
comment on column scim_users.mails is 'The addresses among the attributes, folded, for filters.';
comment on column scim_users.email is 'The address by which the person has, or gets, an account: canonical.';
comment on column scim_users.account_id is 'The member. Null: invited, or somebody whose account has ended.';
comment on column scim_users.kept is 'Of somebody whom the directory has ended: role, days and services of then, for when they come back.';
comment on column scim_users.waits is 'An invitation could not be sent yet.';
create index scim_users_by_external_id on scim_users (organization_id, external_id);
create index scim_users_by_address on scim_users (organization_id, email);
create index scim_users_in_order on scim_users (organization_id, scim_user_id);
create index scim_users_by_mails on scim_users using gin (mails);
create index scim_users_by_account on scim_users (account_id) where account_id is not null;
create index scim_users_waiting on scim_users (organization_id) where waits;

-- Who accepts the invitation of a directory is its person from then on.
create function link_scim_user() returns trigger language plpgsql as $$
begin
  update scim_users s set account_id = new.account_id
    from users u
    where u.account_id = new.account_id and s.organization_id = new.organization_id and s.email = u.email
      and s.account_id is null and not u.super_user;
  return null;
end $$;
create trigger link_scim_user after insert on memberships
  for each row execute function link_scim_user();

create table scim_log (
  log_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  scim_user_id uuid references scim_users on delete set null,
  directory text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'retry')),
  about text,
  status smallint not null,
  problem text,
  deeds text[] not null default '{}',
  notes jsonb not null default '[]',
  created_at timestamptz not null
);
comment on table scim_log is
  'What directories sent and what came of it: names of attributes, never their values. Reading leaves a row only where it fails.';
comment on column scim_log.directory is 'The name of the token.';
comment on column scim_log.about is 'The userName at the time.';
create index scim_log_by_organization on scim_log (organization_id, log_id);
create index scim_log_by_age on scim_log (created_at);
create index scim_log_by_person on scim_log (scim_user_id) where scim_user_id is not null;
