-- Groups of an organisation: who is in them, and which services they give. What follows from that stands in group-access.sql.

create table groups (
  group_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text collate "sv-x-icu" not null check (name <> ''),
  folded_name text not null generated always as (folded(name)) stored,
  rule_attribute text check (rule_attribute <> ''),
  rule_value text check (rule_value <> ''),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint group_name_once unique (organization_id, folded_name),
  constraint group_of_organization unique (group_id, organization_id),
  constraint whole_group_rule check ((rule_attribute is null) = (rule_value is null))
);
comment on column groups.rule_attribute is
  'Of what the organisation''s own sign-in says: who signs in there with rule_value in it is in the group, until a sign-in without. Null: no rule.';
create index groups_with_rules on groups (organization_id) where rule_attribute is not null;

create table group_members (
  group_id uuid not null,
  organization_id uuid not null,
  account_id uuid not null,
  source text not null default 'hand' check (source in ('hand', 'rule', 'directory')),
  valid_from date,
  valid_until date,
  created_at timestamptz not null default now(),
  primary key (group_id, account_id, source),
  constraint group_member_period check (valid_until >= valid_from),
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade,
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table group_members is 'A row for each source: somebody is in the group while one is left.';
comment on column group_members.source is 'By an admin, by the group''s rule, or by the organisation''s directory: each takes out only what it gave.';
create index groups_of_member on group_members (account_id, organization_id);
create index group_members_by_end on group_members (valid_until) where valid_until is not null;

create table group_services (
  group_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  valid_from date,
  valid_until date,
  primary key (group_id, service_id),
  constraint group_service_period check (valid_until >= valid_from),
  foreign key (group_id, organization_id) references groups (group_id, organization_id) on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table group_services is 'The services that a group gives to who is in it.';
create index groups_by_service on group_services (organization_id, service_id);
create index group_services_by_end on group_services (valid_until) where valid_until is not null;

create view group_grants as
  select m.account_id, organization_id, s.service_id, group_id, m.created_at as since,
    greatest(m.valid_from, s.valid_from) as valid_from, least(m.valid_until, s.valid_until) as valid_until,
    coalesce(least(m.valid_until, s.valid_until, (
      select p.valid_until from memberships p where p.account_id = m.account_id and p.organization_id = m.organization_id
    )) < access_day(), false) as has_ended
  from group_members m join group_services s using (group_id, organization_id);
comment on view group_grants is 'What groups give to whom, and when. Without a row in service_assignments it waits for a seat.';
grant select on group_grants to public;
