alter table invitations
  alter column organization_id drop not null,
  add column outbox_id uuid references outbox_messages on delete set null,
  drop constraint invitation_once,
  add constraint invitation_once unique nulls not distinct (account_id, organization_id);
comment on column invitations.organization_id is 'Null for the first super user, who is invited to the portal itself.';
comment on column invitations.outbox_id is 'The mail with the present link: whether it has left is what the inviter asks.';
-- Messages are removed after a while; each removal looks here.
create index invitations_by_message on invitations (outbox_id);
