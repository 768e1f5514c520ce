create table passive_warnings (
  account_id uuid primary key references users on delete cascade,
  days_before smallint not null check (days_before in (14, 1, 0)),
  active_since timestamptz not null,
  sent_at timestamptz not null
);
comment on table passive_warnings is 'The latest warning before an account becomes passive; the nightly job sends each once.';
comment on column passive_warnings.days_before is '0: super users were warned, because the person is an organisation''s last admin.';
comment on column passive_warnings.active_since is
  'When the person was last active, or the account was created: the warning is void once the person is active again.';

create table passive_reports (
  organization_id uuid not null,
  account_id uuid not null,
  primary key (organization_id, account_id),
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table passive_reports is 'Newly passive users of whom the admins of their organisation have not been told yet.';
create index passive_reports_by_account on passive_reports (account_id, organization_id);

create table job_runs (
  name text primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  failed boolean not null default false
);
comment on table job_runs is 'The latest run of each recurring job, on any node.';
