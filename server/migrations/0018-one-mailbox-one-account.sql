-- Addresses are folded before they are compared, so what was stored in another form has to follow, or nobody finds it.
-- Where that form is taken, two accounts have one mailbox: both stay as they are, and the operator is told.
do $do$
declare
  one record;
begin
  for one in
    select * from (
      select account_id, email, case when at > 0 then left(folded, at) || replace(substr(folded, at + 1), '。', '.') end as mailbox
      from users,
        lateral (select normalize(lower(normalize(email, NFKC) collate "sv-x-icu"), NFKC) collate "C") as f (folded),
        lateral (select position('@' in folded)) as p (at)
      where email ~ '[^\x01-\x7f]'
      order by created_at, account_id
    ) as written
    where mailbox <> email
  loop
    if exists (select from users where email = one.mailbox) then
      raise warning '% and % are one mailbox with two accounts. Nobody can sign in as % any more: delete one of the two.',
        one.email, one.mailbox, one.email;
      continue;
    end if;
    update users set email = one.mailbox, version = version + 1 where account_id = one.account_id;
    insert into audit_events (id, name, target_id, target, organization_ids, changes, request_id, created_at)
    values (gen_random_uuid(), 'updateUser', one.account_id, one.mailbox,
      array(select organization_id from memberships where account_id = one.account_id),
      jsonb_build_array(jsonb_build_object('property', 'email', 'previousValue', one.email, 'newValue', one.mailbox)),
      'migration 0018', now());
  end loop;
end $do$;

-- An invitation of the same organisation to the same mailbox may be there already: then the older one stays as it is.
update invitations i set email = w.mailbox
from (
  select invitation_id, case when at > 0 then left(folded, at) || replace(substr(folded, at + 1), '。', '.') end as mailbox
  from invitations,
    lateral (select normalize(lower(normalize(email, NFKC) collate "sv-x-icu"), NFKC) collate "C") as f (folded),
    lateral (select position('@' in folded)) as p (at)
  where email ~ '[^\x01-\x7f]'
) as w
where w.invitation_id = i.invitation_id and w.mailbox <> i.email and not exists (
  select from invitations other
  where other.organization_id is not distinct from i.organization_id and other.email = w.mailbox);
