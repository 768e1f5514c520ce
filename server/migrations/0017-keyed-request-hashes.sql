-- The hashes without a key could be tried against passwords and personal numbers. Nothing is lost: a request that is
-- repeated across this upgrade is a new one.
delete from idempotency_keys;
comment on column idempotency_keys.request_hash is
  'HMAC of the request and of the rights of who sent it: bodies hold passwords and personal numbers.';
