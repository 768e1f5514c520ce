create table outbox_messages (
  id uuid primary key,
  kind text not null check (kind in ('mail', 'sms')),
  template text not null,
  recipient text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  account_id uuid references users on delete cascade,
  sealed bytea not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  useless_after timestamptz,
  finished_at timestamptz
);
comment on table outbox_messages is 'One row per mail or SMS, queued in the transaction that causes it; the job in the queue carries only the id.';
comment on column outbox_messages.sealed is 'The template''s values (links, codes), AES-256-GCM; emptied once the message has left.';
comment on column outbox_messages.useless_after is 'A message that is late by then is dropped instead of sent: an expired code only confuses.';
create index outbox_messages_by_account on outbox_messages (account_id, created_at);
create index outbox_messages_unsent on outbox_messages (created_at) where state <> 'sent';
