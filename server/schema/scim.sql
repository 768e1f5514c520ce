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

-- Planned each time: a plan of the day on which the tables were empty reads them from end to end, for as long as a session lasts.
create function join_directory_groups(account uuid, organization uuid) returns void language plpgsql
  set plan_cache_mode = force_custom_plan as $$
declare
  views uuid[];
  came_in uuid[];
  acting jsonb := nullif(current_setting('vestibule.acting', true), '')::jsonb;
begin
  -- Who changes these groups, or what they become, takes turns with who joins: people, then groups.
  select array_agg(scim_user_id) into views from (
    select scim_user_id from scim_users where account_id = account and organization_id = organization
    order by scim_user_id for update) as locked;
  perform from scim_groups where scim_group_id in (select scim_group_id from scim_group_members where scim_user_id = any (views))
    order by scim_group_id for share;
  if not found then
    return;
  end if;
  update scim_group_members x set let_in = false
    from scim_groups g
    where g.scim_group_id = x.scim_group_id and x.scim_user_id = any (views) and x.let_in
      and num_nonnulls(g.group_id, g.role) > 0 and not may_let_in(g.decided_by, g.organization_id);
  with came as (
    insert into group_members (group_id, organization_id, account_id, source)
    select distinct g.group_id, organization, account, 'directory'
    from directory_members d join scim_group_members x using (scim_user_id) join scim_groups g using (scim_group_id)
    where d.scim_user_id = any (views) and d.account_id = account and x.let_in and g.group_id is not null
    order by 1 on conflict do nothing returning group_id)
  select array_agg(group_id) into came_in from came;
  -- By whatever road somebody comes in.
  insert into audit_events (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
  select gen_random_uuid(), 'updateGroupMembers', (acting ->> 'id')::uuid, acting ->> 'label', given.id, given.name, array[organization],
    case when given.roles is null then '[]' else jsonb_build_array(given.roles) end || jsonb_build_object(
      'property', 'peopleAdded', 'previousValue', null, 'newValue', without_personal_number(given.email)),
    coalesce(acting ->> 'requestId', 'directory groups'), now()
  from (
    select distinct coalesce(g.group_id, s.scim_group_id)::text as id, coalesce(g.name, s.display_name) as name, d.email,
      case when s.role is not null then jsonb_build_object(
        'property', 'roles', 'previousValue', null, 'newValue', coalesce(r.name, s.role)) end as roles
    from directory_members d join scim_group_members x using (scim_user_id) join scim_groups s using (scim_group_id)
      left join groups g on g.group_id = s.group_id left join organization_roles r on r.role_id = s.role_id
    where d.scim_user_id = any (views) and d.account_id = account and x.let_in and (s.group_id = any (came_in)
      or s.role is not null and not coalesce(r.permissions, built_in_permissions(s.role_key)) && powers_over_others())) as given;
end $$;
comment on function join_directory_groups is
  'Puts somebody who has become a member, or has proven their address, in the groups in which the directory has them, with an event for each; they get what these give as far as seats last.';

create function join_proven_person() returns trigger language plpgsql as $$
begin
  perform join_directory_groups(new.account_id, organization_id) from (
    select distinct o.organization_id from scim_users s join organizations o using (organization_id)
    where s.account_id = new.account_id
      and directory_reaches(new.operates, new.email_proof, new.login_method, new.saml_config_id, o.login_method, o.saml_config_id)
      and not directory_reaches(old.operates, old.email_proof, old.login_method, old.saml_config_id, o.login_method, o.saml_config_id)
    order by 1) as places;
  return null;
end $$;
create trigger join_proven_person after update of operates, email_proof, login_method, saml_config_id on users
  for each row when ((new.operates, new.email_proof, new.login_method, new.saml_config_id)
    is distinct from (old.operates, old.email_proof, old.login_method, old.saml_config_id))
  execute function join_proven_person();

-- Who accepts the invitation of a directory is its person from then on.
create function link_scim_user() returns trigger language plpgsql
  set plan_cache_mode = force_custom_plan as $$
begin
  update scim_users set account_id = new.account_id
    where organization_id = new.organization_id and account_id is null
      and email = (select email from users where account_id = new.account_id and not operates);
  perform join_directory_groups(new.account_id, new.organization_id);
  -- A membership by another road: the admin who gave it decides what the person has, so the directory no longer restores what was kept.
  update scim_users set kept = null
    where account_id = new.account_id and organization_id = new.organization_id and kept is not null;
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
