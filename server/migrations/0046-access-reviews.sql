create table access_reviews (
  review_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  opened_at timestamptz not null,
  told_at timestamptz,
  finished_at timestamptz,
  finished_by text
);
comment on table access_reviews is 'An organisation''s review of who keeps which service.';
comment on column access_reviews.told_at is 'When its admins were last mailed.';
comment on column access_reviews.finished_by is 'The address at the time.';
create unique index access_reviews_open on access_reviews (organization_id) where finished_at is null;
create index access_reviews_by_organization on access_reviews (organization_id, opened_at);

create table access_review_rows (
  row_id uuid primary key,
  review_id uuid not null references access_reviews on delete cascade,
  account_id uuid not null references users on delete cascade,
  service_id uuid not null references services on delete cascade,
  user_role text not null,
  last_used timestamptz,
  decision text check (decision in ('keep', 'takeBack')),
  decided_at timestamptz,
  decided_by text,
  unique (review_id, account_id, service_id),
  constraint decided_by_someone check ((decision is null) = (decided_at is null))
);
comment on table access_review_rows is 'Who had which service when the review began. A deleted person, or service, leaves it.';
comment on column access_review_rows.last_used is 'From the launcher, at the beginning of the review. Null: never.';
comment on column access_review_rows.decided_by is 'The address at the time.';
create index access_review_rows_of_account on access_review_rows (account_id);
create index access_review_rows_of_service on access_review_rows (service_id);
