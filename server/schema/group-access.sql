-- What people have because they are in a group: assignments and roles follow group_members, group_services and
-- group_service_roles in the statement that changes these, for every caller.

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

create function apply_groups(organization uuid, services uuid[], accounts uuid[] default null)
  returns table (given_to uuid, given_service uuid, given_role uuid) language plpgsql as $$
declare
  role record;
begin
  -- Those who hand out a service in an organisation take turns, so everybody sees what the others did.
  perform from organization_services where organization_id = organization and service_id = any (services)
    order by service_id for no key update;
  perform from service_roles where service_id = any (services) order by role_id for share;

  -- "execute" plans for these people: one is found by an index, thousands are not. "offset 0" looks once for each of them: a
  -- join, planned while the tables were smaller than this transaction makes them, compared each with everybody.
  execute $of_no_group$
    with gone as (
      delete from service_assignments a
      where a.organization_id = $1 and a.service_id = any ($2) and a.source is null and ($3 is null or a.account_id = any ($3))
        and not exists (
          select from group_grants g
          where g.account_id = a.account_id and g.organization_id = a.organization_id and g.service_id = a.service_id offset 0)
      returning account_id),
    -- A form of before would hand out by hand what a group gave.
    raised as (
      update memberships set version = version + 1 where organization_id = $1 and account_id in (select account_id from gone))
    update users set version = version + 1 where account_id in (select account_id from gone)
  $of_no_group$ using organization, services, accounts;
  execute $of_no_group$
    delete from all_grants h
    where h.organization_id = $1 and h.in_service_id = any ($2) and h.source = 'group' and ($3 is null or h.account_id = any ($3))
      and not exists (
        select from group_role_grants g where g.account_id = h.account_id and g.organization_id = h.organization_id
          and g.service_id = h.in_service_id and g.role_id = h.service_role_id offset 0)
  $of_no_group$ using organization, services, accounts;

  return query execute $waiting$
    insert into service_assignments (account_id, organization_id, service_id, source)
    select account_id, $1, service_id, null
    from (
      select account_id, service_id, row_number() over (partition by service_id order by min(since), account_id) as place
      from group_grants g join memberships using (account_id, organization_id)
      where organization_id = $1 and service_id = any ($2) and ($3 is null or account_id = any ($3))
        and not has_ended and not exists (
          select from service_assignments a
          where a.account_id = g.account_id and a.organization_id = g.organization_id and a.service_id = g.service_id offset 0)
      group by account_id, service_id
    ) as waiting join organization_services o using (service_id)
    where o.organization_id = $1 and (o.max_number_of_users is null or place <= o.max_number_of_users - o.seats_used)
    on conflict do nothing returning account_id, service_id, null::uuid
  $waiting$ using organization, services, accounts;

  for role in
    select r.* from service_roles r
    where r.service_id = any (services) and r.removed_at is null and exists (
      select from group_service_roles x join groups using (group_id)
      where x.service_id = r.service_id and x.role_id = r.role_id and organization_id = organization)
    order by r.key
  loop
    return query execute $waiting$
      insert into all_grants (account_id, organization_id, in_service_id, service_role_id, source)
      select account_id, $1, $2, $4, 'group'
      from (
        select account_id, row_number() over (order by min(since), account_id) as place
        from group_role_grants g join service_assignments using (account_id, organization_id, service_id)
        where organization_id = $1 and service_id = $2 and role_id = $4 and ($3 is null or account_id = any ($3))
          and not has_ended and not exists (
            select from service_role_assignments h join service_roles other using (service_id, role_id)
            where h.account_id = g.account_id and h.organization_id = $1 and h.service_id = $2
              and (h.role_id = $4 or other.key = any ($5) or $6 = any (other.excludes))
            offset 0)
        group by account_id
      ) as waiting
      where $7 is null or place <= $7 - (
        select count(*) from service_role_assignments where service_id = $2 and role_id = $4 and organization_id = $1)
      on conflict do nothing returning account_id, in_service_id, service_role_id
    $waiting$ using organization, role.service_id, accounts, role.role_id, role.excludes, role.key, role.max_people;
  end loop;
end $$;
comment on function apply_groups is
  'Gives people of an organisation what their groups give, in the order in which they came, and takes back what no source gives '
  'any more. Without a free seat, and where a role''s rules forbid it, it waits. Returns what it has given: a service, or a role in it.';

create function apply_group_members() returns trigger language plpgsql as $$
begin
  perform apply_groups(organization_id, services, accounts) from (
    select organization_id, array_agg(distinct account_id) as accounts,
      array(select distinct s.service_id from group_services s where s.group_id = any (array_agg(c.group_id)) order by 1) as services
    from changed c group by organization_id order by organization_id) as places
  where services <> '{}';
  return null;
end $$;
create trigger apply_new_group_members after insert on group_members
  referencing new table as changed for each statement execute function apply_group_members();
create trigger apply_other_days_of_members after update on group_members
  referencing new table as changed for each statement execute function apply_group_members();
create trigger apply_gone_group_members after delete on group_members
  referencing old table as changed for each statement execute function apply_group_members();

create function apply_group_services() returns trigger language plpgsql as $$
begin
  perform apply_groups(organization_id, services) from (
    select organization_id, array_agg(distinct service_id order by service_id) as services
    from changed group by organization_id order by organization_id) as places;
  return null;
end $$;
create trigger apply_new_group_services after insert on group_services
  referencing new table as changed for each statement execute function apply_group_services();
create trigger apply_other_days_of_services after update on group_services
  referencing new table as changed for each statement execute function apply_group_services();
create trigger apply_gone_group_services after delete on group_services
  referencing old table as changed for each statement execute function apply_group_services();

-- Who comes back has waited while the membership had ended.
create function apply_longer_membership() returns trigger language plpgsql as $$
begin
  perform apply_groups(new.organization_id, services, array[new.account_id]) from (
    select array(select distinct service_id from group_grants
      where account_id = new.account_id and organization_id = new.organization_id order by 1) as services) as given
  where services <> '{}';
  return null;
end $$;
create trigger apply_longer_membership after update of valid_until on memberships for each row
  when (coalesce(new.valid_until, 'infinity') > coalesce(old.valid_until, 'infinity'))
  execute function apply_longer_membership();

create function apply_group_roles() returns trigger language plpgsql as $$
begin
  perform apply_groups(organization_id, services) from (
    select organization_id, array_agg(distinct service_id order by service_id) as services
    from changed join groups using (group_id) group by organization_id order by organization_id) as places;
  return null;
end $$;
create trigger apply_new_group_roles after insert on group_service_roles
  referencing new table as changed for each statement execute function apply_group_roles();
create trigger apply_gone_group_roles after delete on group_service_roles
  referencing old table as changed for each statement execute function apply_group_roles();

create function give_what_is_free(organization uuid, services uuid[]) returns void language sql as $$
  with given as materialized (select * from apply_groups(organization, services)),
  people as (
    select given_service as service_id, (email || coalesce(' [' || string_agg(r.key, ', ' order by r.key) || ']', '')) collate "C" as person
    from given join memberships m on m.account_id = given_to and m.organization_id = organization
      left join service_roles r on r.role_id = given_role
    group by given_service, given_to, email)
  insert into audit_events (id, name, target_id, target, organization_ids, changes, request_id, created_at)
  select gen_random_uuid(), 'giveFreeSeats', s.service_id, s.name, array[organization], jsonb_build_array(
      jsonb_build_object('property', 'organization', 'previousValue', null, 'newValue', (
        select o.name from organizations o where organization_id = organization)),
      jsonb_build_object('property', 'peopleAdded', 'previousValue', null, 'newValue', without_personal_number(
        string_agg(person, ', ' order by person)))),
    'free seats', now()
  from people join services s using (service_id) group by s.service_id
$$;
comment on function give_what_is_free is
  'Gives what waited for a seat or a role, with an event for each service, on every way by which it becomes free.';

-- A seat or a role that somebody leaves goes to who waits for it.
create function apply_groups_that_wait() returns trigger language plpgsql as $$
begin
  perform give_what_is_free(organization_id, services) from (
    select organization_id, array_agg(distinct service_id order by service_id) as services
    from changed join group_services using (organization_id, service_id)
    group by organization_id order by organization_id) as places;
  return null;
end $$;
create trigger give_free_seats after delete on service_assignments
  referencing old table as changed for each statement execute function apply_groups_that_wait();
create function apply_groups_that_wait_for_roles() returns trigger language plpgsql as $$
begin
  perform give_what_is_free(organization_id, services) from (
    select c.organization_id, array_agg(distinct s.service_id order by s.service_id) as services
    from changed c join group_services s on s.organization_id = c.organization_id and s.service_id = c.in_service_id
    group by c.organization_id order by c.organization_id) as places;
  return null;
end $$;
create trigger give_free_roles after delete on all_grants
  referencing old table as changed for each statement execute function apply_groups_that_wait_for_roles();

create function apply_new_seats() returns trigger language plpgsql as $$
begin
  perform give_what_is_free(new.organization_id, array[new.service_id]);
  return null;
end $$;
create trigger give_new_seats after update of max_number_of_users on organization_services for each row
  when (coalesce(new.max_number_of_users, 2147483647) > coalesce(old.max_number_of_users, 2147483647))
  execute function apply_new_seats();

-- Once all roles of the statement have their new rules: each may be about another one.
create function apply_new_role_rules() returns trigger language plpgsql as $$
begin
  perform give_what_is_free(organization_id, services) from (
    select organization_id, array_agg(distinct service_id order by service_id) as services
    from former join changed using (role_id, service_id)
      join group_service_roles using (service_id) join groups using (group_id)
    where (former.max_people, former.excludes) is distinct from (changed.max_people, changed.excludes)
    group by organization_id order by organization_id) as places;
  return null;
end $$;
create trigger give_by_new_role_rules after update on service_roles
  referencing old table as former new table as changed for each statement execute function apply_new_role_rules();

create function take_back_service(account uuid, organization uuid, service uuid) returns void language plpgsql as $$
begin
  update service_assignments a set source = null, user_role = 'regular', valid_from = null, valid_until = null
    where a.account_id = account and a.organization_id = organization and a.service_id = service and exists (
      select from group_grants g where g.account_id = account and g.organization_id = organization and g.service_id = service);
  if found then
    update all_grants h set source = 'group', valid_from = null, valid_until = null
      where h.account_id = account and h.organization_id = organization and h.in_service_id = service and h.source = 'hand';
    perform apply_groups(organization, array[service], array[account]);
  else
    delete from service_assignments a
      where a.account_id = account and a.organization_id = organization and a.service_id = service;
  end if;
end $$;
comment on function take_back_service is 'Ends what a person has for themselves, with its roles. What groups give stays.';

-- A rule asks the organisation's own sign-in. With another one, nobody is there who could answer it.
create function end_rules_of_former_sign_in() returns trigger language plpgsql as $$
begin
  delete from group_members where organization_id = new.organization_id and source = 'rule';
  return null;
end $$;
create trigger end_rules_of_former_sign_in after update of login_method, saml_config_id on organizations for each row
  when ((old.login_method, old.saml_config_id) is distinct from (new.login_method, new.saml_config_id))
  execute function end_rules_of_former_sign_in();

create function has_rights(account uuid, organization uuid) returns boolean language sql stable as $$
  select exists (
    select from memberships m where m.account_id = account and m.organization_id = organization and m.user_role <> 'regular'
    union all select from all_grants g where g.account_id = account and g.organization_id = organization and g.scope <> 'inService'
    union all select from service_assignments a
      where a.account_id = account and a.organization_id = organization and a.user_role <> 'regular')
$$;
comment on function has_rights is
  'Whether people have made somebody more than a member of an organisation, on whatever day that begins or ends; what a directory gives, it takes back.';
