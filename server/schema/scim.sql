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
  setup_id uuid references saml_setups on delete set null,
  created_by uuid references users on delete set null,
  by_operator boolean not null default false,
  answers_for uuid references users on delete set null
);
comment on table scim_tokens is 'By which the directory of an organisation calls. The token itself is not stored.';
comment on column scim_tokens.warned_days is 'The last warning that was mailed: so many days before the end.';
comment on column scim_tokens.setup_id is 'The set-up link by which the IT of the organisation made it.';
comment on column scim_tokens.created_by is 'Who made it, or the set-up link by which it was made.';
comment on column scim_tokens.by_operator is 'The maker worked for the operator then, whose name no customer learns.';
comment on column scim_tokens.answers_for is
  'Whose right it has: the maker, until an admin confirms it. When they may no longer, it brings in nobody and changes nobody with rights (token_stands).';
create index scim_tokens_by_maker on scim_tokens (created_by) where created_by is not null;
create index scim_tokens_by_answering on scim_tokens (answers_for) where answers_for is not null;
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
  waits_for uuid,
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
comment on column scim_users.kept is 'Of somebody whom the directory has ended: roles, days, groups by hand and services of then, for when they come back.';
comment on column scim_users.waits is 'They could not be brought in, or invited, yet.';
comment on column scim_users.waits_for is
  'The token that brought them: they come in while it stands, and never once it is gone. Null: an admin, who tried again.';
create index scim_users_by_external_id on scim_users (organization_id, external_id);
create index scim_users_by_address on scim_users (organization_id, email);
create index scim_users_in_order on scim_users (organization_id, scim_user_id);
create index scim_users_by_mails on scim_users using gin (mails);
create index scim_users_by_account on scim_users (account_id, organization_id) where account_id is not null;
create index scim_users_waiting on scim_users (organization_id) where waits;

create table scim_groups (
  scim_group_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  display_name text not null check (display_name <> ''),
  display_name_folded text collate "C" not null generated always as (folded(display_name)) stored,
  external_id text,
  group_id uuid,
  role_key text,
  role_id uuid,
  role text generated always as (coalesce(role_key, role_id::text)) stored,
  decided_by uuid references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint scim_group_name_taken unique (organization_id, display_name_folded),
  constraint one_mapping check (num_nonnulls(group_id, role_key, role_id) <= 1),
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete set null (group_id)
);
comment on table scim_groups is
  'Groups as the directory of an organisation sees them, and what an admin has decided that they become here. They give nothing without.';
comment on column scim_groups.group_id is 'The group whose members they are.';
comment on column scim_groups.role is
  'The role of the organisation that their members have while they are in: a built-in role''s key, or the id of an own one.';
comment on column scim_groups.decided_by is 'Who has decided what it becomes. Newcomers get it while that person may still decide.';
create index scim_groups_by_decider on scim_groups (decided_by) where decided_by is not null;
create index scim_groups_by_external_id on scim_groups (organization_id, external_id);
create index scim_groups_in_order on scim_groups (organization_id, scim_group_id);
create index scim_groups_by_group on scim_groups (group_id, organization_id) where group_id is not null;
create index scim_groups_by_own_role on scim_groups (role_id, organization_id) where role_id is not null;
create index scim_groups_with_role on scim_groups (organization_id) where role is not null;

create table scim_group_members (
  scim_group_id uuid not null references scim_groups on delete cascade,
  scim_user_id uuid not null references scim_users on delete cascade,
  let_in boolean not null default true,
  primary key (scim_group_id, scim_user_id)
);
comment on table scim_group_members is 'Who is in which group, as the directory sees it, also whom it has ended.';
comment on column scim_group_members.let_in is
  'They get what the group becomes. False: they came when the person who decided it, or made the token, no longer could; an admin decides again.';
create index scim_group_members_held_back on scim_group_members (scim_group_id) where not let_in;
create index scim_groups_of_user on scim_group_members (scim_user_id);

create function directory_reaches(operates boolean, email_proof text, login_method text, config integer,
  organization_login text, organization_config integer)
returns boolean language sql immutable
  return not operates and (coalesce(email_proof <> 'operator', false)
    or coalesce(login_method = 'saml' and organization_login = 'saml' and config = organization_config, false));
comment on function directory_reaches is
  'Groups of a directory give only to an account whose address is proven, or that signs in by the organisation''s own sign-in.';

create view directory_members as
  select s.scim_user_id, m.account_id, m.organization_id, u.email
  from scim_users s join memberships m on m.account_id = s.account_id and m.organization_id = s.organization_id
    join users u on u.account_id = m.account_id join organizations o on o.organization_id = m.organization_id
  where s.active
    and directory_reaches(u.operates, u.email_proof, u.login_method, u.saml_config_id, o.login_method, o.saml_config_id);
comment on view directory_members is 'The members to whom groups of their organisation''s directory give something.';
grant select on directory_members to public;

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
