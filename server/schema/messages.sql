-- Mail and text messages: what is sent, and the texts that super users write.

create table outbox_messages (
  id uuid primary key,
  kind text not null check (kind in ('mail', 'sms')),
  template text not null,
  recipient text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  account_id uuid references users on delete cascade,
  organization_id uuid,
  sealed bytea not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  useless_after timestamptz,
  finished_at timestamptz
);
comment on table outbox_messages is 'One row per mail or SMS, queued in the transaction that causes it; the job in the queue carries only the id.';
comment on column outbox_messages.organization_id is 'Whose texts and sender it has; no reference, because a message outlives its organisation.';
comment on column outbox_messages.sealed is 'The template''s values (links, codes), AES-256-GCM; emptied once the message has left.';
comment on column outbox_messages.useless_after is 'A message that is late by then is dropped instead of sent: an expired code only confuses.';
create index outbox_messages_by_account on outbox_messages (account_id, created_at);
create index outbox_messages_unsent on outbox_messages (created_at) where state <> 'sent';
create index outbox_messages_finished on outbox_messages (finished_at) where state <> 'queued';
-- What could not be sent is few among many.
create index outbox_messages_failed on outbox_messages (finished_at) where state = 'failed';

create table refused_addresses (
  address text primary key,
  refused_at timestamptz not null
);
comment on table refused_addresses is 'Addresses that the mail server refused for good; removed when a mail gets through.';

create table message_templates (
  template_id uuid primary key,
  channel text not null check (channel in ('mail', 'sms')),
  type text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  organization_id uuid references organizations on delete cascade,
  draft jsonb,
  published jsonb,
  version integer not null default 0,
  unique nulls not distinct (type, channel, language, organization_id)
);
comment on table message_templates is 'Texts that super users write in place of the built-in ones, for one organisation or, without one, for all.';
comment on column message_templates.published is 'subject, body and button; null: the text of all organisations, or the built-in one, applies.';
create index message_templates_by_organization on message_templates (organization_id);

create table message_template_versions (
  template_id uuid not null references message_templates on delete cascade,
  number integer not null,
  text jsonb,
  published_at timestamptz not null,
  published_by text not null,
  primary key (template_id, number)
);
comment on table message_template_versions is 'Every text that was published, never changed.';
