-- Where events go as they are sealed. A place in the chain for each is all that is kept: a dead endpoint delays no other.

create table audit_streams (
  stream_id uuid primary key,
  kind text not null check (kind in ('webhook', 'syslog', 'stdout')),
  url text,
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  delivered_seq bigint not null,
  last_delivered_at timestamptz,
  next_try_at timestamptz not null,
  failures integer not null default 0,
  last_problem text,
  stopped text check (stopped in ('gone', 'failed')),
  created_at timestamptz not null default now(),
  constraint webhook_has_address check ((kind = 'webhook') = (url is not null and secret_sealed is not null))
);
comment on column audit_streams.delivered_seq is 'All events up to this number have been delivered.';
comment on column audit_streams.next_try_at is 'Also the lease of the process that is delivering.';
comment on column audit_streams.failures is 'Attempts in a row that failed.';
create unique index audit_stream_of_operator on audit_streams (kind) where kind <> 'webhook';
create unique index audit_stream_to_address on audit_streams (url);
