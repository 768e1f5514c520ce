-- What is known of a person's use of a service belongs to the organisation that gave it.
alter table service_preferences drop column last_used;
alter table service_assignments add column last_used timestamptz;
comment on column service_assignments.last_used is
  'When the person last entered the service for this organisation, from the launcher or at the service. Null: never, or '
  'another organisation gave it too and the service did not say for which it was.';

-- What the admins of one organisation see of a person of several ones has a version of its own. Random, so that a membership
-- that ended and began again has another one.
alter table memberships add column version integer not null default 1 + floor(random() * 1000000)::integer;
comment on column memberships.version is 'Raised with each change of role or services in this organisation.';
