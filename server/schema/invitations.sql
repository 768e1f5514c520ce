-- An invitation is not an account. Rows of users, memberships and service_assignments are accepted by their person; what
-- waits for an answer stands here alone, with the role and the services that were chosen.

create table invitations (
  invitation_id uuid primary key,
  organization_id uuid references organizations on delete cascade,
  email text collate "C" not null,
  first_name text collate "sv-x-icu" check (first_name <> ''),
  last_name text collate "sv-x-icu" check (last_name <> ''),
  user_role text not null default 'regular' check (user_role in ('regular', 'organizationAdmin')),
  guest boolean not null default false,
  valid_from date,
  valid_until date,
  message text,
  language text check (language in ('en', 'sv', 'fi', 'fr')),
  invited_by uuid references users on delete set null,
  promised_by uuid references users on delete set null,
  outbox_id uuid references outbox_messages on delete set null,
  token_version integer not null default 1,
  version integer not null default 1,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint invitation_period check (valid_until >= valid_from),
  constraint invitation_of_organization unique (invitation_id, organization_id),
  constraint invitation_once unique nulls not distinct (organization_id, email)
);
comment on table invitations is 'Open or expired. Accepting, declining or withdrawing one deletes it; the audit event is the record.';
comment on column invitations.organization_id is 'Null for the first super user, who is invited to the portal itself.';
comment on column invitations.email is 'Canonical. Whether it has an account is not for the inviter to know.';
comment on column invitations.first_name is 'As the inviter typed it, and so is the last name: never those of an account.';
comment on column invitations.language is 'Of its mail, where the inviter chose one; null: that of the inviter.';
comment on column invitations.guest is
  'Somebody from elsewhere: with their own sign-in in an organisation with organisation sign-in, and for guest_days where no other end was chosen.';
comment on column invitations.valid_until is 'The last day of the membership that it becomes; valid_from is the first.';
comment on column invitations.invited_by is 'Who sent it last.';
comment on column invitations.promised_by is
  'Who promised the role: sending the invitation again, or changing something else of it, does not. Null: the account had the role before.';
comment on column invitations.outbox_id is 'The mail with the present link: whether it has left is what the inviter asks.';
comment on column invitations.token_version is
  'The link''s token is HMAC(key, invitation_id, token_version): it can be shown again, nothing secret is stored, raising the version revokes it.';
create index invitations_by_email on invitations (email);
create index invitations_by_expiry on invitations (expires_at);
-- Messages are removed after a while; each removal looks here.
create index invitations_by_message on invitations (outbox_id);
-- An organisation's list shows its invitations among its members, in order of each column.
create index invitations_by_place on invitations (organization_id, (email collate "sv-x-icu"), invitation_id);
create index invitations_by_first_name on invitations (organization_id, (coalesce(first_name, '')), invitation_id);
create index invitations_by_last_name on invitations (organization_id, (coalesce(last_name, '')), invitation_id);

create table invitation_services (
  invitation_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  user_role text not null default 'regular' check (user_role in ('regular', 'serviceAdmin')),
  promised_by uuid references users on delete cascade,
  primary key (invitation_id, service_id),
  foreign key (invitation_id, organization_id) references invitations (invitation_id, organization_id) on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table invitation_services is 'What an invitation promises. Seats are taken when it is accepted.';
comment on column invitation_services.promised_by is
  'Who promised the service and the role. Nobody gets it once they may no longer hand it out. Null: the organisation gives it.';

create function promised_until(promiser uuid, organization uuid, needed text[]) returns table (until date) language sql stable as $$
  select null::date where promiser is null
  union all
  select until from held_until(promiser, organization, needed)
$$;
comment on function promised_until is
  'The last day of a role that somebody promised: nobody gives it for longer than they hold what it needs. No row: they have lost it since.';
-- Nobody gives a role that they no longer have. Of those whose account is still there, the acceptance asks.
create function withdraw_promised_roles() returns trigger language plpgsql as $$
begin
  update invitations set user_role = 'regular' where promised_by = old.account_id;
  return old;
end $$;
create trigger withdraw_promised_roles before delete on users
  for each row execute function withdraw_promised_roles();
create index invitations_by_inviter on invitations (invited_by) where invited_by is not null;
create index invitations_by_promiser on invitations (promised_by) where promised_by is not null;
create index invitation_services_by_promiser on invitation_services (promised_by) where promised_by is not null;
create index invitation_services_by_service on invitation_services (organization_id, service_id);

-- A mail whose link is dead before it has left only confuses: while the mail server is away, every invitation that is sent
-- again would later arrive beside the ones that it replaced. However an invitation ends, its mail ends with it.
create function withdraw_invitation_mail() returns trigger language plpgsql as $$
begin
  update outbox_messages
    set state = 'dropped', reason = 'its invitation was replaced or ended', sealed = '', finished_at = now()
    where id = old.outbox_id and state in ('queued', 'failed');
  return null;
end $$;
create trigger withdraw_replaced_invitation_mail after update of token_version on invitations
  for each row when (new.token_version <> old.token_version)
  execute function withdraw_invitation_mail();
create trigger withdraw_deleted_invitation_mail after delete on invitations
  for each row execute function withdraw_invitation_mail();
