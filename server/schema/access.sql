-- Who has which service: assignments and their seats, what people ask for, and the reviews of who keeps what.

create table service_assignments (
  account_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  source text default 'hand' check (source in ('hand', 'request')),
  user_role text not null default 'regular' check (user_role in ('regular', 'serviceAdmin')),
  valid_from date,
  valid_until date,
  last_used timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id, service_id),
  constraint assignment_period check (valid_until >= valid_from),
  constraint groups_give_no_role check (source is not null or (user_role = 'regular' and valid_from is null and valid_until is null)),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on column service_assignments.source is
  'How the person got it for themselves, with role and days. Null: groups alone give it (group_grants), for their days.';
-- What is known of a person's use of a service belongs to the organisation that gave it.
comment on column service_assignments.last_used is
  'When the person last entered the service for this organisation, from the launcher or at the service. Null: never, or '
  'another organisation gave it too and the service did not say for which it was.';
create index service_assignments_by_service on service_assignments (organization_id, service_id, account_id);
-- A service's holders in all organisations.
create index holders_of_service on service_assignments (service_id, account_id);
create index service_admins on service_assignments (account_id) where user_role = 'serviceAdmin';
create index service_assignments_by_end on service_assignments (valid_until, organization_id) where valid_until is not null;

create view assignment_last_days as
  select account_id, organization_id, service_id, case when source is null or valid_until is not null then (
      select case when bool_and(x.last_day is not null) then max(x.last_day) end from (
        select a.valid_until where a.source is not null
        union all select g.valid_until from group_grants g
          where g.account_id = a.account_id and g.organization_id = a.organization_id and g.service_id = a.service_id
      ) as x (last_day)) end as last_day
  from service_assignments a;
comment on view assignment_last_days is 'Until when somebody has a service, by whatever source lasts longest. Null: without end.';
grant select on assignment_last_days to public;

create view current_assignments as
  select account_id, organization_id, service_id, source,
    case when source is not null and is_current(valid_from, valid_until) then user_role else 'regular' end as user_role,
    valid_from, (
      select last_day from assignment_last_days l where l.account_id = a.account_id and l.organization_id = a.organization_id
        and l.service_id = a.service_id) as valid_until,
    last_used, created_at
  from service_assignments a
  where (source is not null and is_current(valid_from, valid_until) or exists (
      select from group_grants g where g.account_id = a.account_id and g.organization_id = a.organization_id
        and g.service_id = a.service_id and is_current(g.valid_from, g.valid_until)))
    and exists (
      select from current_memberships m where m.account_id = a.account_id and m.organization_id = a.organization_id);
comment on view current_assignments is 'Who has a service today. Whatever gives access reads this; the table is for those who administer.';
grant select on current_assignments to public;

create view assignment_ends as
  with ends as (
    select account_id, organization_id, service_id, valid_until from service_assignments where valid_until is not null
    union all select m.account_id, organization_id, s.service_id, least(m.valid_until, s.valid_until)
      from group_members m join group_services s using (group_id, organization_id) where m.valid_until is not null
    union all select m.account_id, organization_id, s.service_id, s.valid_until
      from group_members m join group_services s using (group_id, organization_id)
      where m.valid_until is null and s.valid_until is not null)
  select distinct * from ends e
  where not exists (
      select from service_assignments a where a.account_id = e.account_id and a.organization_id = e.organization_id
        and a.service_id = e.service_id and a.source is not null and coalesce(a.valid_until, 'infinity') > e.valid_until
        and coalesce(a.valid_from, '-infinity') <= e.valid_until + 1)
    and not exists (
      select from group_grants g where g.account_id = e.account_id and g.organization_id = e.organization_id
        and g.service_id = e.service_id and coalesce(g.valid_until, 'infinity') > e.valid_until
        and coalesce(g.valid_from, '-infinity') <= e.valid_until + 1);
comment on view assignment_ends is 'The last day of each service that has one, from whatever source.';
grant select on assignment_ends to public;

create function count_seats() returns trigger language plpgsql as $$
begin
  -- Once for all that a statement gives or takes, in the order in which everybody locks these rows.
  perform from organization_services
    where (organization_id, service_id) in (select organization_id, service_id from changed)
    order by organization_id, service_id for no key update;
  update organization_services o set seats_used = seats_used + case tg_op when 'INSERT' then seats else -seats end
    from (select organization_id, service_id, count(*)::integer as seats from changed group by 1, 2) as counted
    where o.organization_id = counted.organization_id and o.service_id = counted.service_id;
  return null;
end $$;
create trigger count_new_seats after insert on service_assignments
  referencing new table as changed for each statement execute function count_seats();
create trigger count_gone_seats after delete on service_assignments
  referencing old table as changed for each statement execute function count_seats();

create function keep_assignment_place() returns trigger language plpgsql as $$
begin
  raise exception 'an assignment stays with its person, organisation and service' using errcode = 'check_violation';
end $$;
create trigger keep_assignment_place before update of account_id, organization_id, service_id on service_assignments
  for each row when ((old.account_id, old.organization_id, old.service_id) is distinct from (new.account_id, new.organization_id, new.service_id))
  execute function keep_assignment_place();

create table service_preferences (
  account_id uuid not null references users on delete cascade,
  service_id uuid not null references services on delete cascade,
  favourite boolean not null default false,
  primary key (account_id, service_id)
);
create index service_preferences_by_service on service_preferences (service_id);

create table access_requests (
  request_id uuid primary key,
  account_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  refused_because text check (refused_because <> ''),
  created_at timestamptz not null,
  unique (account_id, organization_id, service_id),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table access_requests is
  'Requests of members for a service of their organisation. One that is granted, or was handed out otherwise, is removed.';
comment on column access_requests.refused_because is 'Null while the request is open.';
create index access_requests_by_service on access_requests (organization_id, service_id, created_at);
create index access_requests_open on access_requests (created_at, request_id) where refused_because is null;
-- For the job remove-expired.
create index access_requests_refused on access_requests (created_at) where refused_because is not null;

create function answer_access_request() returns trigger language plpgsql as $$
begin
  -- A group that begins later does not answer for the time until then.
  delete from access_requests where account_id = new.account_id
    and organization_id = new.organization_id and service_id = new.service_id
    and (new.source is not null or exists (
      select from group_grants g where g.account_id = new.account_id and g.organization_id = new.organization_id
        and g.service_id = new.service_id and is_current(g.valid_from, g.valid_until)));
  return null;
end $$;
create trigger answer_access_request after insert on service_assignments
  for each row execute function answer_access_request();
create trigger answer_request_for_ended after update of source, valid_from, valid_until on service_assignments
  for each row when (new.source is not null and is_current(new.valid_from, new.valid_until)
    and (old.source is null or not is_current(old.valid_from, old.valid_until)))
  execute function answer_access_request();

create table access_reviews (
  review_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  opened_at timestamptz not null,
  told_at timestamptz,
  ending_at timestamptz,
  finished_at timestamptz,
  finished_by text
);
comment on table access_reviews is 'An organisation''s review of who keeps which service.';
comment on column access_reviews.told_at is 'When its admins were last mailed.';
comment on column access_reviews.ending_at is
  'When its end began. From then on decisions are closed, and services are taken back in portions until it is finished.';
comment on column access_reviews.finished_by is 'Who began its end: the address at the time.';
create unique index access_reviews_open on access_reviews (organization_id) where finished_at is null;
create index access_reviews_by_organization on access_reviews (organization_id, opened_at);
-- For the job remove-expired.
create index access_reviews_finished on access_reviews (finished_at);

create table access_review_rows (
  row_id uuid primary key,
  review_id uuid not null references access_reviews on delete cascade,
  account_id uuid not null references users on delete cascade,
  service_id uuid not null references services on delete cascade,
  first_name text,
  last_name text,
  email text not null,
  user_role text not null,
  service_roles text[] not null default '{}',
  last_used timestamptz,
  decision text check (decision in ('keep', 'takeBack')),
  decided_at timestamptz,
  decided_by text,
  -- A decision can be changed until then.
  ended_at timestamptz,
  unique (review_id, account_id, service_id),
  constraint decided_by_someone check ((decision is null) = (decided_at is null)),
  constraint ended_by_a_decision check (ended_at is null or decision is not null)
);
comment on table access_review_rows is 'Who had which service when the review began. A deleted person, or service, leaves it.';
comment on column access_review_rows.email is
  'As it was when the review began, and so are the names: what somebody is called after leaving is not for this organisation.';
comment on column access_review_rows.service_roles is 'The keys of the roles of the service that the person had.';
comment on column access_review_rows.last_used is 'From the launcher, at the beginning of the review. Null: never.';
comment on column access_review_rows.decided_by is 'The address at the time.';
comment on column access_review_rows.ended_at is 'When the service was taken back, mostly at the end of the review; of one that was kept, when the review ended without it.';
create index access_review_rows_of_account on access_review_rows (account_id);
create index access_review_rows_of_service on access_review_rows (service_id);

create function ask_review_again() returns trigger language plpgsql as $$
begin
  update access_review_rows r set decision = null, decided_at = null, decided_by = null
  from access_reviews v
  where v.review_id = r.review_id and v.organization_id = new.organization_id and v.finished_at is null
    and r.account_id = new.account_id and r.service_id = new.service_id
    and r.ended_at is null and r.decision is not null;
  return null;
end $$;
comment on function ask_review_again is 'A service that somebody gets again during a review is not taken back by a decision of before.';
create trigger ask_review_again after insert on service_assignments
  for each row execute function ask_review_again();
create trigger ask_review_of_ended_again after update of source, valid_from, valid_until on service_assignments
  for each row when (new.source is not null and is_current(new.valid_from, new.valid_until)
    and (old.source is null or not is_current(old.valid_from, old.valid_until)))
  execute function ask_review_again();

create table access_review_reviewers (
  review_id uuid not null references access_reviews on delete cascade,
  organization_id uuid not null,
  service_id uuid not null,
  account_id uuid not null,
  asked_at timestamptz not null,
  primary key (review_id, service_id, account_id),
  foreign key (account_id, organization_id) references memberships on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table access_review_reviewers is
  'Members who are asked to decide about one service of a review. They lose it with their membership.';
create index access_review_reviewers_of_account on access_review_reviewers (account_id, organization_id);
create index access_review_reviewers_of_service on access_review_reviewers (organization_id, service_id);

create table access_end_reminders (
  account_id uuid not null references users on delete cascade,
  organization_id uuid,
  ends_on date not null,
  days_before smallint not null check (days_before in (14, 3)),
  sent_at timestamptz not null,
  constraint reminded_once unique nulls not distinct (account_id, organization_id, ends_on, days_before),
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table access_end_reminders is
  'Mails to a person, and to who can extend, that something in an organisation, or in the portal, ends on this day; each is sent once. A new end has mails of its own.';
