-- Roles that services declare, who holds them, and what invitations promise of them.

create table service_roles (
  role_id uuid primary key,
  service_id uuid not null references services on delete cascade,
  key text collate "C" not null check (key ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,49}$'
    and key not in ('regular', 'serviceAdmin', 'organizationAdmin', 'superUser')),
  name_sv text not null check (name_sv <> ''),
  name_en text check (name_en <> ''),
  name_fi text check (name_fi <> ''),
  name_fr text check (name_fr <> ''),
  description_sv text check (description_sv <> ''),
  description_en text check (description_en <> ''),
  description_fi text check (description_fi <> ''),
  description_fr text check (description_fr <> ''),
  needs_two_factors boolean not null default false,
  max_people integer check (max_people > 0),
  excludes text[] not null default '{}' check (key <> all (excludes)),
  removed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint service_role_key_once unique (service_id, key),
  constraint service_role_of_service unique (service_id, role_id)
);
comment on table service_roles is
  'What a service calls the roles of its own. A removed one stays: its key is never used again, because services have stored it.';
comment on column service_roles.max_people is 'Of each organisation.';
comment on column service_roles.excludes is 'Keys of roles of the same service that nobody holds beside this one, in either direction.';

create function keep_service_role() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from services where service_id = old.service_id) then return old; end if;
  elsif (new.role_id, new.service_id, new.key) = (old.role_id, old.service_id, old.key) and old.removed_at is null then
    return new;
  end if;
  raise exception 'a role''s key keeps its meaning' using errcode = 'check_violation', constraint = 'service_role_keeps_key';
end $$;
comment on function keep_service_role is 'A role is never renamed, brought back or deleted, except with its service.';
create trigger keep_service_role before update or delete on service_roles
  for each row execute function keep_service_role();

alter table all_grants
  -- Who loses the service loses its roles.
  add constraint role_in_held_service foreign key (account_id, organization_id, in_service_id)
    references service_assignments (account_id, organization_id, service_id) on delete cascade,
  add constraint role_of_service foreign key (in_service_id, service_role_id)
    references service_roles (service_id, role_id) on delete cascade;

create view service_role_assignments as
  select account_id, organization_id, in_service_id as service_id, service_role_id as role_id, source, valid_from, valid_until, created_at
  from all_grants where in_service_id is not null;
comment on view service_role_assignments is 'Who has which role within a service, also one that begins later or has ended.';
grant select on service_role_assignments to public;

create function check_service_roles() returns trigger language plpgsql as $$
begin
  if not exists (select from handed_out where in_service_id is not null) then
    return null;
  end if;
  -- Those who hand out a service in an organisation take turns, as for its seats.
  perform from organization_services
    where (organization_id, service_id) in (select organization_id, in_service_id from handed_out)
    order by organization_id, service_id for no key update;
  -- A change of a rule waits for those who hand out by the old one.
  perform from service_roles where role_id in (select service_role_id from handed_out) order by role_id for share;
  if exists (select from handed_out h join service_roles r on r.role_id = h.service_role_id where r.removed_at is not null) then
    raise exception 'the role was removed' using errcode = 'check_violation', constraint = 'service_role_removed';
  end if;
  if exists (
    select from (select distinct organization_id, service_role_id as role_id from handed_out) h join service_roles r using (role_id)
    where r.max_people < (
      select count(*) from service_role_assignments a
      where a.service_id = r.service_id and a.role_id = r.role_id and a.organization_id = h.organization_id)
  ) then
    raise exception 'too many have the role' using errcode = 'check_violation', constraint = 'service_role_full';
  end if;
  if exists (
    select from handed_out h join service_roles r on r.role_id = h.service_role_id
      join service_role_assignments a on a.account_id = h.account_id and a.organization_id = h.organization_id
        and a.service_id = h.in_service_id
      join service_roles other on other.role_id = a.role_id
    where (other.key = any (r.excludes) or r.key = any (other.excludes))
  ) then
    raise exception 'roles exclude each other' using errcode = 'check_violation', constraint = 'service_roles_exclude';
  end if;
  return null;
end $$;
create trigger check_new_service_roles after insert on all_grants
  referencing new table as handed_out for each statement execute function check_service_roles();
create trigger check_changed_service_roles after update on all_grants
  referencing new table as handed_out for each statement execute function check_service_roles();

create table invitation_service_roles (
  invitation_id uuid not null,
  service_id uuid not null,
  role_id uuid not null,
  -- Nobody gives a role that they no longer have.
  promised_by uuid references users on delete cascade,
  primary key (invitation_id, service_id, role_id),
  foreign key (invitation_id, service_id) references invitation_services on delete cascade,
  foreign key (service_id, role_id) references service_roles (service_id, role_id) on delete cascade
);
comment on table invitation_service_roles is 'What an invitation promises. Limits are checked when it is accepted.';
create index invitation_service_roles_by_promiser on invitation_service_roles (promised_by) where promised_by is not null;
create index invitation_service_roles_by_role on invitation_service_roles (service_id, role_id);

-- Gives the roles that an invitation promises, of the services that its person has got. One whose promiser may give it no
-- more, that is full by now, or that
-- another one excludes, is left out, as a service without a free seat is.
create function take_promised_roles(invitation uuid, account uuid) returns void language plpgsql as $$
declare
  promised record;
begin
  for promised in
    select p.role_id, a.organization_id, a.service_id, p.promised_by
    from invitation_service_roles p join invitations i using (invitation_id)
      cross join promised_until(p.promised_by, i.organization_id, array['assignServices'])
      join service_assignments a on a.account_id = account and a.organization_id = i.organization_id and a.service_id = p.service_id
      join service_roles r on r.role_id = p.role_id
    where p.invitation_id = invitation order by a.service_id, r.key
  loop
    begin
      insert into all_grants (account_id, organization_id, in_service_id, service_role_id, given_by)
        values (account, promised.organization_id, promised.service_id, promised.role_id, promised.promised_by);
    exception when check_violation then null;
    end;
  end loop;
end $$;

create function give_service_roles(account uuid, organization uuid, roles jsonb) returns void language plpgsql as $$
declare
  given record;
begin
  for given in
    select r.role_id, a.service_id, w."validFrom" as valid_from, w."validUntil" as valid_until
    from jsonb_to_recordset(roles) as w ("roleId" uuid, "validFrom" date, "validUntil" date)
      join service_roles r on r.role_id = w."roleId"
      join service_assignments a on a.account_id = account and a.organization_id = organization and a.service_id = r.service_id
    order by a.service_id, r.key
  loop
    begin
      insert into all_grants as h (account_id, organization_id, in_service_id, service_role_id, valid_from, valid_until)
        values (account, organization, given.service_id, given.role_id, given.valid_from, given.valid_until)
        -- A group has given it first.
        on conflict on constraint grant_once do update
          set source = 'hand', valid_from = excluded.valid_from, valid_until = excluded.valid_until where h.source = 'group';
    exception when check_violation then null;
    end;
  end loop;
end $$;
comment on function give_service_roles is
  'Gives somebody these roles, with their days, of the services that they have. One that was removed, is full, or that another one excludes is left out.';
