-- What a service learns about people beyond the scopes: a super user's choice.
alter table clients
  add column pairwise boolean not null default false,
  add column subject_salt bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  add column personal_number_reason text,
  add column initiate_login_uri text;
comment on column clients.pairwise is '`sub` is another for each service, so that two services cannot compare people.';
comment on column clients.subject_salt is 'Of the pairwise `sub`: it never changes, and no key rotation touches it.';
comment on column clients.personal_number_reason is
  'Why the service may get personal identity numbers (scope personal_identity_number); null: it may not.';
comment on column clients.initiate_login_uri is 'Where the launcher starts a sign-in at the service (OpenID Connect Core, 4).';

-- A text message with a code has been used: the phone is theirs.
alter table users
  add column phone_proven_at timestamptz,
  add column phone_changed_at timestamptz;
comment on column users.phone_changed_at is 'A code that was sent to the number before proves nothing about this one.';
create function forget_phone_proof() returns trigger language plpgsql as $$
begin
  new.phone_proven_at := null;
  new.phone_changed_at := now();
  return new;
end $$;
create trigger phone_changed before update of phone_number on users
  for each row when (old.phone_number is distinct from new.phone_number) execute function forget_phone_proof();
