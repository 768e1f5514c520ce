-- Help for people who have lost every second factor.

create table recoveries (
  account_id uuid primary key references users on delete cascade,
  asked_by uuid not null references users on delete cascade,
  reason text not null check (reason <> ''),
  asked_at timestamptz not null,
  due_at timestamptz not null
);
comment on table recoveries is
  'An admin asked that the second factors of an account end; the person was mailed and can stop it. The row goes when it is done or stopped; the audit log has both.';
create index recoveries_due on recoveries (due_at);
create index recoveries_by_asker on recoveries (asked_by);
