-- Roles that an organisation gives its people beside the admin role of a membership: named sets of permissions. Who has them
-- stands in grants.sql.

-- Written by `npm run schema` from contract/organization-roles/role-permissions.ts, until the next line that says so.
create function every_permission() returns text[] language sql immutable parallel safe
  return array['readPeople', 'readDetails', 'invitePeople', 'helpPeople', 'editPeople', 'removePeople', 'assignServices', 'giveRoles', 'readAudit', 'readReviews', 'decideReviews', 'readSettings', 'manageSettings'];
comment on function every_permission is 'What an organisation''s admin may.';
create function built_in_permissions(role_key text) returns text[] language sql immutable parallel safe
  return case role_key
    when 'reader' then array['readPeople', 'readDetails', 'readAudit', 'readReviews', 'readSettings']
    when 'auditor' then array['readPeople', 'readAudit', 'readReviews', 'readSettings']
    when 'helpDesk' then array['readPeople', 'readDetails', 'helpPeople']
    when 'personnelAdministrator' then array['readPeople', 'readDetails', 'invitePeople', 'helpPeople', 'editPeople', 'removePeople', 'assignServices']
  end;
create function powers_over_others() returns text[] language sql immutable parallel safe
  return array['giveRoles', 'manageSettings'];
comment on function powers_over_others is 'The holder of one of these decides what others may. A directory never gives them.';
-- Written until here.

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

alter table scim_groups
  add constraint built_in_role_of_scim_group
    check (role_key is null or coalesce(not built_in_permissions(role_key) && powers_over_others(), false)),
  add constraint own_role_of_scim_group foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete set null (role_id);
