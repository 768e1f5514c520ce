-- Roles that an organisation gives its people beside the admin role of a membership: named sets of permissions.

-- As contract/organization-roles/role-permissions.ts has them; a test compares.
create function every_permission() returns text[] language sql immutable parallel safe
  return array['readPeople', 'readDetails', 'invitePeople', 'helpPeople', 'editPeople', 'removePeople', 'assignServices',
    'giveRoles', 'readAudit', 'readReviews', 'decideReviews', 'readSettings', 'manageSettings'];
comment on function every_permission is 'What an organisation''s admin may.';
create function built_in_permissions(role_key text) returns text[] language sql immutable parallel safe
  return case role_key
    when 'reader' then array['readPeople', 'readDetails', 'readAudit', 'readReviews', 'readSettings']
    when 'auditor' then array['readPeople', 'readAudit', 'readReviews', 'readSettings']
    when 'helpDesk' then array['readPeople', 'readDetails', 'helpPeople']
    when 'personnelAdministrator' then array['readPeople', 'readDetails', 'invitePeople', 'helpPeople', 'editPeople',
      'removePeople', 'assignServices']
  end;

create function powers_over_others() returns text[] language sql immutable parallel safe
  return array['giveRoles', 'manageSettings'];
comment on function powers_over_others is 'The holder of one of these decides what others may. A directory never gives them.';

create table organization_roles (
  role_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text collate "sv-x-icu" not null check (name <> ''),
  permissions text[] not null check (permissions <> '{}' and permissions <@ every_permission()),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint role_in_organization unique (role_id, organization_id)
);
comment on table organization_roles is 'Roles of an organisation''s own; the built-in ones are no rows, so nobody renames or removes them.';
create unique index organization_role_name on organization_roles (organization_id, folded(name));

create table role_grants (
  account_id uuid not null,
  organization_id uuid not null,
  role_key text check (role_key is null or built_in_permissions(role_key) is not null),
  role_id uuid,
  role text generated always as (coalesce(role_key, role_id::text)) stored,
  valid_from date,
  valid_until date,
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id, role),
  constraint one_role check (num_nonnulls(role_key, role_id) = 1),
  constraint role_grant_period check (valid_until >= valid_from),
  -- Who leaves the organisation leaves its roles; a role of another organisation cannot be given.
  foreign key (account_id, organization_id) references memberships on delete cascade,
  constraint role_of_organization foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete cascade
);
comment on table role_grants is 'Who has which role of an organisation, beside the admin role of the membership.';
comment on column role_grants.role is 'A built-in role''s key, or the id of one of the organisation''s own.';
create index role_grants_by_role on role_grants (organization_id, role);
create index role_grants_of_own on role_grants (role_id, organization_id) where role_id is not null;
create index role_grants_by_end on role_grants (valid_until) where valid_until is not null;

alter table scim_groups
  add constraint built_in_role_of_scim_group
    check (role_key is null or coalesce(not built_in_permissions(role_key) && powers_over_others(), false)),
  add constraint own_role_of_scim_group foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete set null (role_id);

create view held_roles as
  select g.account_id, g.organization_id, g.role, r.name,
    coalesce(r.permissions, built_in_permissions(g.role_key)) as permissions, g.valid_from, g.valid_until, false as by_directory
  from role_grants g left join organization_roles r on r.role_id = g.role_id
  union all
  select m.account_id, m.organization_id, d.role, r.name, given.permissions, null, null, true
  from directory_members m join scim_group_members x using (scim_user_id) join scim_groups d using (scim_group_id)
    left join organization_roles r on r.role_id = d.role_id
    cross join lateral (select coalesce(r.permissions, built_in_permissions(d.role_key)) as permissions) as given
  where d.role is not null and x.let_in and not given.permissions && powers_over_others();
comment on view held_roles is 'Roles with what they allow, by hand or while a group of the directory gives them (never power over others, decision 0086), also those that begin later or have ended: for those who administer.';
grant select on held_roles to public;
create view current_held_roles as
  select h.* from held_roles h where is_current(h.valid_from, h.valid_until) and exists (
    select from current_memberships m where m.account_id = h.account_id and m.organization_id = h.organization_id);
comment on view current_held_roles is 'Who has which role today. Whatever gives access reads this.';
grant select on current_held_roles to public;

-- The rule that admins sign in with a passkey is about everybody who gives roles or decides how people sign in.
create function decides_over_others(account uuid, organization uuid) returns boolean language sql stable as $$
  select exists (select from current_held_roles h where h.account_id = account and h.organization_id = organization
    and h.permissions && powers_over_others())
$$;
create function floor_role(user_role text, strong_admins_from date, account uuid, organization uuid)
returns text language sql stable as $$
  select case when user_role = 'regular' and strong_admins_from is not null and decides_over_others(account, organization)
    then 'organizationAdmin' else user_role end
$$;
comment on function floor_role is 'The role that meets_floor asks about: an admin''s for every person who may do as much.';

create view standing_admins as
  select m.organization_id, m.account_id from current_memberships m join users u using (account_id)
    where m.user_role = 'organizationAdmin' and m.valid_until is null and m.role_until is null
      and not u.pending and u.passive_at is null
  union all
  select m.organization_id, m.account_id from current_held_roles h join current_memberships m using (account_id, organization_id)
    join users u using (account_id)
    where h.permissions @> every_permission() and h.valid_until is null and m.valid_until is null
      and not u.pending and u.passive_at is null;
comment on view standing_admins is
  'The people who can sign in and act today, may everything in the organisation, whatever their role is called, and have no end.';
grant select on standing_admins to public;

create function held_until(account uuid, organization uuid, needed text[]) returns table (until date) language sql stable as $$
  select null::date from users where account_id = account and super_user and passive_at is null
  union all
  select nullif(min(each_one.ends), 'infinity') from (
    select max(h.ends) as ends from unnest(needed) as n (permission) left join (
      select every_permission() as permissions, least(coalesce(valid_until, 'infinity'), coalesce(role_until, 'infinity')) as ends
        from current_memberships
        where account_id = account and organization_id = organization and user_role = 'organizationAdmin'
      union all
      select r.permissions, least(coalesce(r.valid_until, 'infinity'), coalesce(m.valid_until, 'infinity'))
        from current_held_roles r join current_memberships m using (account_id, organization_id)
        where r.account_id = account and r.organization_id = organization
    ) h on n.permission = any (h.permissions)
    group by n.permission) as each_one
  having bool_and(each_one.ends is not null)
    and exists (select from users where account_id = account and not super_user and passive_at is null)
$$;
comment on function held_until is
  'The last day on which somebody holds all of these permissions in an organisation; null: without an end. No row: they lack one today, or the account is passive.';

create function may_let_in(decider uuid, organization uuid) returns boolean language sql stable as $$
  select exists (select from held_until(decider, organization, every_permission()))
$$;
comment on function may_let_in is 'Whether somebody may decide today what groups of the directory give.';

create function token_stands(token uuid) returns boolean language sql stable as $$
  select exists (select from scim_tokens t where t.token_id = token and may_let_in(t.answers_for, t.organization_id))
$$;
comment on function token_stands is
  'Whether who answers for a token of a directory may decide everything there today, asked at each use.';

create function acting_holders(organization uuid, needed text[]) returns table (account_id uuid, until date)
language sql stable as $$
  select u.account_id, h.until from (
      select m.account_id from current_memberships m
        where m.organization_id = organization and m.user_role = 'organizationAdmin'
      union select r.account_id from current_held_roles r where r.organization_id = organization) c
    join users u on u.account_id = c.account_id
    cross join lateral held_until(u.account_id, organization, needed) h
    where not u.pending
$$;
comment on function acting_holders is
  'The people who can sign in and hold all of these permissions in an organisation today, by whatever role, and until when.';
