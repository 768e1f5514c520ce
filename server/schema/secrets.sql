-- Keys, and what may be used once.

create table keys (
  id uuid primary key,
  purpose text not null,
  state text not null check (state in ('next', 'current', 'previous', 'retired')),
  sealed bytea not null,
  created_at timestamptz not null default now(),
  state_since timestamptz not null default now()
);
comment on table keys is 'Data keys, sealed by the master key. "next" verifies already but does not sign yet; "previous" verifies and opens still.';
create unique index one_current_key on keys (purpose) where state = 'current';

create table one_time_things (
  purpose text not null,
  token_hash bytea not null,
  subject text not null,
  data jsonb not null default '{}',
  attempts_left integer not null default 1 check (attempts_left >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (purpose, token_hash)
);
comment on table one_time_things is 'Codes, tickets, resets, SAML requests and assertion ids, BankID orders: one table, used up by a single UPDATE.';
create index one_time_things_by_subject on one_time_things (purpose, subject);
create index one_time_things_expired on one_time_things (expires_at);
