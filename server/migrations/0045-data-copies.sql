create table data_copies (
  account_id uuid primary key references users on delete cascade,
  copy_id uuid not null unique,
  requested_at timestamptz not null,
  ready_at timestamptz,
  sealed bytea,
  constraint ready_with_content check ((ready_at is null) = (sealed is null))
);
comment on table data_copies is 'What a person asked to have: a copy of the own data, made by a job and removed after some days. A new request replaces it.';
comment on column data_copies.sealed is 'JSON, AES-256-GCM.';
create index data_copies_by_time on data_copies (ready_at);
