-- What people have because they are in a group: assignments and roles follow group_members, group_services and
-- group_service_roles (server/accounts/group-access.ts).

create table group_service_roles (
  group_id uuid not null,
  service_id uuid not null,
  role_id uuid not null,
  primary key (group_id, role_id),
  foreign key (group_id, service_id) references group_services on delete cascade,
  foreign key (service_id, role_id) references service_roles (service_id, role_id) on delete cascade
);
comment on table group_service_roles is 'The roles of its services that a group gives.';
create index group_service_roles_by_service on group_service_roles (group_id, service_id);
create index group_service_roles_by_role on group_service_roles (service_id, role_id);

create view group_role_grants as
  select g.*, r.role_id from group_grants g join group_service_roles r using (group_id, service_id);
grant select on group_role_grants to public;

create view current_service_roles as
  select h.account_id, h.organization_id, h.service_id, h.role_id
  from service_role_assignments h join service_assignments a using (account_id, organization_id, service_id)
  where h.source = 'hand' and is_current(h.valid_from, h.valid_until) and is_current(a.valid_from, a.valid_until)
    or exists (
      select from group_role_grants g where g.account_id = h.account_id and g.organization_id = h.organization_id
        and g.service_id = h.service_id and g.role_id = h.role_id and is_current(g.valid_from, g.valid_until));
comment on view current_service_roles is
  'The roles that count today: a role by hand with its days and those of the service, one by a group with those of the group.';
grant select on current_service_roles to public;

create table invitation_groups (
  invitation_id uuid not null,
  organization_id uuid not null,
  group_id uuid not null,
  promised_by uuid references users on delete cascade,
  valid_from date,
  valid_until date,
  primary key (invitation_id, group_id),
  constraint promised_group_period check (valid_until >= valid_from),
  foreign key (invitation_id, organization_id) references invitations (invitation_id, organization_id) on delete cascade,
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade
);
comment on table invitation_groups is 'The groups that an invitation puts its person in, while the promiser may still do so.';
create index invitation_groups_by_group on invitation_groups (group_id);
create index invitation_groups_by_promiser on invitation_groups (promised_by) where promised_by is not null;

create view waiting_grants as
  select account_id, organization_id, service_id, group_id, since, null::uuid as role_id from group_grants g
  where not has_ended and not exists (
    select from service_assignments a
    where a.account_id = g.account_id and a.organization_id = g.organization_id and a.service_id = g.service_id offset 0)
  union all
  select account_id, organization_id, service_id, group_id, since, role_id from group_role_grants g
  where not has_ended and not exists (
    select from service_role_assignments h where h.account_id = g.account_id and h.organization_id = g.organization_id
      and h.service_id = g.service_id and h.role_id = g.role_id offset 0);
comment on view waiting_grants is
  'What groups give and somebody does not have yet: a service waits for a seat, a role for its rules or the service.';
grant select on waiting_grants to public;

create function has_rights(account uuid, organization uuid) returns boolean language sql stable as $$
  select exists (
    select from memberships m where m.account_id = account and m.organization_id = organization and m.user_role <> 'regular'
    union all select from all_grants g where g.account_id = account and g.organization_id = organization and g.scope <> 'inService'
    union all select from service_assignments a
      where a.account_id = account and a.organization_id = organization and a.user_role <> 'regular')
$$;
comment on function has_rights is
  'Whether people have made somebody more than a member of an organisation, on whatever day that begins or ends; what a directory gives, it takes back.';
