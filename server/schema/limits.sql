-- How often something may happen: rate limits, repeated requests and failures that repeat.

create table limits (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null,
  blocked_until timestamptz
) with (fillfactor = 70);
create index limits_expired on limits (window_ends_at);

create table idempotency_keys (
  id text primary key,
  request_hash bytea not null,
  status integer,
  answer_sealed bytea,
  created_at timestamptz not null
);
comment on table idempotency_keys is 'What a repeated request gets instead of being done again. Written in the transaction of the change, so that both are there or neither.';
comment on column idempotency_keys.id is 'SHA-256 of session and key.';
comment on column idempotency_keys.request_hash is
  'HMAC of the request and of the rights of who sent it: bodies hold passwords and personal numbers.';
comment on column idempotency_keys.answer_sealed is 'The body of the answer, AES-256-GCM: it may hold a personal identity number.';
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table repeated_failures (
  label text not null,
  origin text not null,
  hour timestamptz not null,
  count integer not null,
  event jsonb not null,
  primary key (label, origin, hour)
);
comment on table repeated_failures is 'Failed sign-ins of the hour. What is above twenty has no event of its own; a job writes one for all when the hour is over.';
