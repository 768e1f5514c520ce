create table idempotency_keys (
  id text primary key,
  request_hash bytea not null,
  status integer,
  answer_sealed bytea,
  created_at timestamptz not null
);
comment on table idempotency_keys is 'What a repeated request gets instead of being done again. Written in the transaction of the change, so that both are there or neither.';
comment on column idempotency_keys.id is 'SHA-256 of session and key.';
comment on column idempotency_keys.answer_sealed is 'The body of the answer, AES-256-GCM: it may hold a personal identity number.';
create index idempotency_keys_by_age on idempotency_keys (created_at);
