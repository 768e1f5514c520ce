-- A mail whose link is dead before it has left only confuses: while the mail server is away, every invitation that is sent
-- again would later arrive beside the ones that it replaced. However an invitation ends, its mail ends with it.
create function withdraw_invitation_mail() returns trigger language plpgsql as $$
begin
  update outbox_messages
    set state = 'dropped', reason = 'its invitation was replaced or ended', sealed = '', finished_at = now()
    where id = old.outbox_id and state in ('queued', 'failed');
  return null;
end $$;
create trigger withdraw_ended_invitation_mail after update of token_version, accepted_at on invitations
  for each row when (new.token_version <> old.token_version or new.accepted_at is not null)
  execute function withdraw_invitation_mail();
create trigger withdraw_deleted_invitation_mail after delete on invitations
  for each row execute function withdraw_invitation_mail();
