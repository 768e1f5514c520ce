create table logout_deliveries (
  id uuid primary key,
  client_id text collate "C" not null references clients on delete cascade,
  account_id uuid not null,
  sid text not null,
  sign_out uuid not null,
  state text not null check (state in ('queued', 'told', 'failed', 'untold')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table logout_deliveries is 'One row per service and ended session (OpenID Connect Back-Channel Logout), queued in the transaction that ends it; the job in the queue carries only the id.';
comment on column logout_deliveries.account_id is 'No reference: a deleted account''s services are told after it is gone.';
comment on column logout_deliveries.sid is 'The session''s id at the service; it opens nothing.';
comment on column logout_deliveries.sign_out is 'What ended together: the page after a sign-out lists it.';
comment on column logout_deliveries.state is 'untold: the client has no address for logout tokens.';
create index logout_deliveries_by_sign_out on logout_deliveries (sign_out);
create index logout_deliveries_by_client on logout_deliveries (client_id, created_at);
create index logout_deliveries_by_time on logout_deliveries (created_at);
