-- Who may do what, beside the role of a membership and of a service assignment: one table, with where, what, source and days.

create table all_grants (
  account_id uuid not null references users on delete cascade,
  organization_id uuid,
  service_id uuid,
  group_id uuid,
  in_service_id uuid,
  scope text not null generated always as (case when organization_id is null then 'portal' when in_service_id is not null then 'inService'
    when service_id is not null then 'service' when group_id is not null then 'group' else 'organization' end) stored,
  scope_id uuid generated always as (coalesce(service_id, group_id)) stored,
  role_key text,
  role_id uuid,
  service_role_id uuid,
  role text not null generated always as (coalesce(role_key, role_id::text, service_role_id::text)) stored,
  source text not null default 'hand' check (source in ('hand', 'group')),
  given_by uuid references users on delete set null,
  valid_from date,
  valid_until date,
  created_at timestamptz not null default now(),
  constraint grant_once unique nulls not distinct (account_id, organization_id, scope_id, role),
  constraint grant_period check (valid_until >= valid_from),
  constraint one_role check (num_nonnulls(role_key, role_id, service_role_id) = 1),
  constraint one_scope check (num_nonnulls(service_id, group_id, in_service_id) <= case when organization_id is null then 0 else 1 end),
  constraint portal_role check (organization_id is not null or coalesce(role_key in ('reader', 'auditor'), false)),
  constraint role_fits_scope check (organization_id is null or coalesce(case
    when in_service_id is not null then service_role_id is not null
    when service_id is not null then role_key = 'serviceOwner'
    when group_id is not null then role_key = 'groupAdmin'
    else role_id is not null or built_in_permissions(role_key) is not null end, false)),
  constraint groups_give_role_without_days check (
    source = 'hand' or (in_service_id is not null and valid_from is null and valid_until is null)),
  -- A role ends with what it stands on, and names nothing of another organisation.
  foreign key (account_id, organization_id) references memberships on delete cascade,
  constraint scope_of_service foreign key (organization_id, service_id) references organization_services on delete cascade,
  constraint scope_of_group foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade,
  constraint role_of_organization foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete cascade
);
comment on table all_grants is
  'Who has which role, also one that begins later or has ended: for those who administer. Where: the portal, an organisation, one service or group of it, or within a service that the person has.';
comment on column all_grants.role is
  'A built-in role''s key, or the id of one of the organisation''s own, or of the service''s. No key is of a whole organisation and of a part of it (decision 0101).';
comment on column all_grants.source is '"group": groups alone give it, for their days (group_role_grants).';
comment on column all_grants.service_id is 'The service for which somebody is responsible.';
comment on column all_grants.in_service_id is 'The service that has declared the role. The person has it.';
comment on column all_grants.given_by is 'Who has given it, or set its days, last. Null: a directory, or somebody whose account has ended.';
-- Of the operator's own people, as contract/portal-roles.ts has them. Only super users give one.
create unique index one_portal_role on all_grants (account_id) where organization_id is null;
create index grants_by_role on all_grants (organization_id, role) where scope = 'organization';
create index holders_of_service_role on all_grants (in_service_id, service_role_id, organization_id, account_id)
  where in_service_id is not null;
create index grants_of_own_role on all_grants (role_id, organization_id) where role_id is not null;
create index grants_by_service on all_grants (organization_id, service_id) where service_id is not null;
create index grants_by_group on all_grants (group_id, organization_id) where group_id is not null;
create index grants_by_end on all_grants (valid_until, organization_id) where valid_until is not null;
create index grants_by_giver on all_grants (given_by) where given_by is not null;

create view grants as
  select g.account_id, g.organization_id, g.scope, g.scope_id, g.role, least(g.valid_until, m.valid_until) as valid_until
  from all_grants g join current_memberships m using (account_id, organization_id)
  where g.scope <> 'inService' and is_current(g.valid_from, g.valid_until)
  union all
  select account_id, null, scope, null, role, valid_until from all_grants
  where organization_id is null and is_current(valid_from, valid_until);
comment on view grants is
  'What somebody has today, and until when. Whatever gives access reads this; of roles within a service, current_service_roles.';
grant select on grants to public;

create function note_portal_role() returns trigger language plpgsql as $$
begin
  update users set has_portal_role = (tg_op = 'INSERT')
    where account_id = case tg_op when 'INSERT' then new.account_id else old.account_id end and has_portal_role <> (tg_op = 'INSERT');
  return null;
end $$;
create trigger note_new_portal_role after insert on all_grants
  for each row when (new.organization_id is null) execute function note_portal_role();
create trigger note_gone_portal_role after delete on all_grants
  for each row when (old.organization_id is null) execute function note_portal_role();

create view all_held_roles as
  select g.account_id, g.organization_id, g.role, r.name,
    coalesce(r.permissions, built_in_permissions(g.role_key)) as permissions, g.valid_from, g.valid_until, false as by_directory
  from all_grants g left join organization_roles r on r.role_id = g.role_id
  where g.scope = 'organization'
  union all
  select m.account_id, m.organization_id, d.role, r.name, given.permissions, null, null, true
  from directory_members m join scim_group_members x using (scim_user_id) join scim_groups d using (scim_group_id)
    left join organization_roles r on r.role_id = d.role_id
    cross join lateral (select coalesce(r.permissions, built_in_permissions(d.role_key)) as permissions) as given
  where d.role is not null and x.let_in and not given.permissions && powers_over_others();
comment on view all_held_roles is 'Roles with what they allow, by hand or while a group of the directory gives them (never power over others, decision 0086), also those that begin later or have ended: for those who administer.';
grant select on all_held_roles to public;
create view held_roles as
  select h.* from all_held_roles h where is_current(h.valid_from, h.valid_until) and exists (
    select from current_memberships m where m.account_id = h.account_id and m.organization_id = h.organization_id);
comment on view held_roles is 'Who has which role today. Whatever gives access reads this.';
grant select on held_roles to public;

-- The rule that admins sign in with a passkey is about everybody who gives roles or decides how people sign in.
create function decides_over_others(account uuid, organization uuid) returns boolean language sql stable as $$
  select exists (select from held_roles h where h.account_id = account and h.organization_id = organization
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
  select m.organization_id, m.account_id from held_roles h join current_memberships m using (account_id, organization_id)
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
        from held_roles r join current_memberships m using (account_id, organization_id)
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
      union select r.account_id from held_roles r where r.organization_id = organization) c
    join users u on u.account_id = c.account_id
    cross join lateral held_until(u.account_id, organization, needed) h
    where not u.pending
$$;
comment on function acting_holders is
  'The people who can sign in and hold all of these permissions in an organisation today, by whatever role, and until when.';

create view role_ends as
  select account_id, organization_id, role, coalesce(scope_id, role_id) as about, valid_until
  from all_grants g where scope <> 'inService' and valid_until is not null
    and not exists (select from all_held_roles h where h.by_directory and h.account_id = g.account_id
      and h.organization_id = g.organization_id and h.role = g.role);
comment on view role_ends is
  'The last day of each role beside the admin role that has one, and that no directory gives as well; about is a service, a group or one of the organisation''s own roles. Without an organisation: in the portal.';
grant select on role_ends to public;
