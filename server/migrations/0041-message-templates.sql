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

alter table outbox_messages add column organization_id uuid;
comment on column outbox_messages.organization_id is 'Whose texts and sender it has; no reference, because a message outlives its organisation.';

alter table organizations
  add column sender_name text check (sender_name <> ''),
  add column reply_to text check (reply_to <> '');
comment on column organizations.sender_name is 'The name that mails of the organisation come from; the address stays the portal''s.';

create table refused_addresses (
  address text primary key,
  refused_at timestamptz not null
);
comment on table refused_addresses is 'Addresses that the mail server refused for good; removed when a mail gets through.';
