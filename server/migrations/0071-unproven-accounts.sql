alter table users add column opened_for uuid references organizations on delete set null;
comment on column users.opened_for is
  'The organisation whose invitation or own sign-in opened the account; null for one that a super user added.';
create index users_by_opened_for on users (opened_for) where opened_for is not null;

-- An account whose address nobody has proven serves the organisation that opened it and no other (product-rules 11.2). A super
-- user who knows that and says why sets email_proof to 'operator' first.
create function membership_needs_proof() returns trigger language plpgsql as $$
declare
  proof text;
begin
  select email_proof into proof from users where account_id = new.account_id for no key update;
  if proof is null and (new.entry <> 'opened' or exists (select from memberships where account_id = new.account_id)) then
    raise exception 'nobody has proven this address' using errcode = 'check_violation', constraint = 'membership_needs_proof';
  end if;
  return new;
end $$;
create trigger membership_needs_proof before insert on memberships
  for each row execute function membership_needs_proof();
