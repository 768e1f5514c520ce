-- Roles that an organisation gives its people beside the admin role of a membership: named sets of permissions. Who has them
-- stands in grants.sql.

create function every_permission() returns text[] language sql immutable parallel safe
  return {{everyPermission}};
comment on function every_permission is 'What an organisation''s admin may.';
create function built_in_permissions(role_key text) returns text[] language sql immutable parallel safe
  return case role_key
    {{builtInRoles}}
  end;
create function powers_over_others() returns text[] language sql immutable parallel safe
  return {{powersOverOthers}};
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

alter table scim_groups
  add constraint built_in_role_of_scim_group
    check (role_key is null or coalesce(not built_in_permissions(role_key) && powers_over_others(), false)),
  add constraint own_role_of_scim_group foreign key (role_id, organization_id)
    references organization_roles (role_id, organization_id) on delete set null (role_id);
