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

create function answer_access_request() returns trigger language plpgsql as $$
begin
  delete from access_requests where account_id = new.account_id
    and organization_id = new.organization_id and service_id = new.service_id;
  return null;
end $$;
create trigger answer_access_request after insert on service_assignments
  for each row execute function answer_access_request();

create table notices (
  notice_id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  message text not null check (message <> ''),
  starts_on date not null,
  ends_on date,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint notice_ends_after_start check (ends_on >= starts_on)
);
comment on table notices is 'Shown above the launcher: to the members of one organisation, or without one to everyone.';
create index notices_by_organization on notices (organization_id);
comment on column notices.ends_on is 'The last day, in Swedish time; without one the notice stays.';
