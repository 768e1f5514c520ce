-- Accounts, the names that they had, and what is kept about accounts that nobody uses.

create table users (
  account_id uuid primary key,
  email text collate "C" not null,
  first_name text collate "sv-x-icu",
  last_name text collate "sv-x-icu",
  preferred_language text check (preferred_language in ('en', 'sv', 'fi', 'fr')),
  super_user boolean not null default false,
  has_portal_role boolean not null default false,
  operates boolean not null generated always as (super_user or has_portal_role) stored,
  operates_since timestamptz,
  pending boolean not null default false,
  opened_for uuid references organizations on delete set null,

  -- What is proven of the person.
  email_proven_at timestamptz,
  email_proof text check (email_proof in ('mailedLink', 'mailedCode', 'samlDomain', 'operator')),
  phone_number text check (phone_number ~ '^\+46[0-9]{7,13}$'),
  phone_proven_at timestamptz,
  phone_changed_at timestamptz,
  phone_claim text check (phone_claim in ('password', 'admin')),
  phone_entered_at timestamptz,
  ssn_sealed bytea,
  ssn_index bytea,
  ssn_proven_at timestamptz,
  ssn_proof text check (ssn_proof in ({{personProofs}})),
  ssn_claim text check (ssn_claim in ('password', 'admin')),
  ssn_entered_at timestamptz,

  -- How the person signs in.
  login_method text not null check (is_login_method(login_method)),
  saml_config_id integer references saml_configs on delete restrict,
  password_hash text,
  password_must_change boolean not null default false,
  password_changed_at timestamptz,
  sign_in_locked_at timestamptz,
  usual_factor text check (usual_factor in ({{secondFactors}})),
  must_enrol boolean not null default false,
  password_from_mail boolean not null default false,
  mail_refused text check (mail_refused in ('owner', 'notMe', 'taken')),
  browsers_known_from timestamptz,
  auth_epoch integer not null default 1,

  -- When the person was last here.
  last_login timestamptz,
  last_active timestamptz,
  idle_since date generated always as ((coalesce(last_active, created_at) at time zone 'Europe/Stockholm')::date) stored,
  max_passive_days integer check (max_passive_days between 1 and 36500),
  passive_at timestamptz,

  version integer not null default 1,
  created_at timestamptz not null default now(),
  constraint user_email_unique unique (email),
  constraint user_email_canonical check (email = lower(email) and length(email) between 3 and 254),
  -- The operator's word is no proof, and has no time of one.
  constraint user_email_proof_whole check ((email_proven_at is null) = (coalesce(email_proof, 'operator') = 'operator')),
  constraint user_names check (pending or (first_name <> '' and last_name <> '')),
  constraint user_ssn_whole check ((ssn_sealed is null) = (ssn_index is null)),
  constraint user_ssn_proof_whole check (
    (ssn_proof is null) = (ssn_proven_at is null) and (ssn_proof is null or ssn_index is not null)),
  constraint user_saml_config_required check (login_method not in ({{companyMethods}}) or saml_config_id is not null),
  constraint user_password_is_local check (password_hash is null or login_method in ({{localMethods}})),
  constraint user_super_is_never_passive check (not super_user or passive_at is null),
  constraint user_super_has_no_portal_role check (not super_user or not has_portal_role),
  constraint user_operates_is_proven check (email_proof is not null or not operates),
  -- A company's sign-in never lets in who works for the operator.
  constraint user_operates_is_never_saml check (login_method not in ({{companyMethods}}) or not operates)
);
comment on column users.browsers_known_from is
  'A browser that became known before is new again: the owner has said that somebody else was in the account, or reset the password by mail.';
comment on column users.opened_for is
  'The organisation whose invitation or own sign-in opened the account; null for one that a super user added.';
comment on column users.email_proof is
  'How the person proved to read mail at this address. "operator": a super user, by the word of who runs the portal; no proof to others.';
comment on column users.phone_changed_at is 'A code that was sent to the number before proves nothing about this one.';
comment on column users.phone_claim is
  'Whose word alone the number is, which gets no codes. "password": entered in a session that had proven no more, as a stolen password would bring its own phone. "admin": by anybody else. Null: the owner, with more than a password.';
comment on column users.ssn_claim is
  'Likewise the personal number. BankID proves the person, but is no fresh proof and stands in for no factor; with "password" it raises no session either.';
comment on column users.phone_entered_at is
  'When somebody entered the number, or the account page took its confirmation. "This was not me" makes one that came since the word of a password alone.';
comment on column users.ssn_entered_at is 'Likewise the personal number.';
comment on column users.ssn_sealed is 'Personal identity number, AES-256-GCM; the key id is in the sealed value.';
comment on column users.ssn_index is 'HMAC of the personal number: finds it, and keeps proven ones unique, without decrypting it.';
comment on column users.ssn_proof is
  'A number is a claim until BankID, or a company''s sign-in that may assert numbers, has proven it. The writers of the number clear it.';
comment on column users.has_portal_role is
  'Has a role in the portal, on whatever days: a copy that a trigger on all_grants keeps, for the constraints of this table.';
comment on column users.operates is
  'Works for the operator: no organisation sees that, or reaches the account. Also while the portal role is to begin or has ended, as a stroke extends it.';
comment on column users.operates_since is 'In production a second factor is demanded some days later.';
comment on column users.usual_factor is
  'The second factor that sign-in asks for first. Without one, an account with the method local2FA is sent a code by mail, and one with local has none.';
comment on column users.must_enrol is 'The second factors were taken off, by the help of an admin or with what a stranger did: the person chooses one before anything else, and until then is sent a code by mail.';
comment on column users.password_from_mail is
  'The password was reset by mail, or a directory moved the address, and no other factor was proven since: a code by mail would prove the mailbox twice.';
comment on column users.mail_refused is
  'No code goes by mail. "owner": switched off, while there is something stronger. "notMe": the button in a mail took a factor off, until something stronger is proven or an admin helps, as the mailbox alone would take it off and sign in. "taken": somebody else changed a number that counted, until the person has signed in with the old password; no code goes by mail after a reset.';
comment on column users.auth_epoch is 'Raised to end every session of the account at once, on every node.';
comment on column users.idle_since is 'The day, in Sweden, when the person was last active, or the account was created.';
comment on column users.sign_in_locked_at is 'The owner has said that somebody else signed in: refused until the password is reset by mail. Only of accounts with a password.';
comment on column users.passive_at is 'Set when the person was away for too long: sign-in is refused until someone updates last_active.';
-- Claims are not unique: anybody may type another person's number, which must lock nobody out (product-rules 11.8).
create unique index user_proven_ssn on users (ssn_index) where ssn_proof is not null;
create index user_ssn on users (ssn_index) where ssn_index is not null;
create index users_by_saml_config on users (saml_config_id);
create index users_by_opened_for on users (opened_for) where opened_for is not null;
-- A sign-in page looks at the oldest accounts of a mail domain, however many a free-mail provider has.
create index users_by_mail_domain on users (split_part(email, '@', 2), account_id);
create index super_users on users (account_id) where super_user and not pending;
create index operating_users on users (account_id) where operates;
-- For the filters of the lists. idle_since is a day, so that the minutes of last_active stay out of every index.
create index users_by_idle_since on users (idle_since, account_id) include (passive_at);
create index users_with_own_limit on users (account_id) where max_passive_days is not null;
create index users_by_login_method on users (login_method);
-- Finds what filters ask without the wide row of the table.
create index users_by_what_filters_ask on users (account_id) include (login_method, idle_since);
-- The few accounts that filters find or leave out.
create index unusual_users on users (account_id) include (pending, passive_at, super_user, login_method, idle_since)
  where pending or passive_at is not null or super_user;

create function keep_a_super_user() returns trigger language plpgsql as $$
begin
  if old.super_user and not old.pending and (tg_op = 'DELETE' or not new.super_user or new.pending) then
    -- Two that step down at once would each still see the other: they take turns.
    perform pg_advisory_xact_lock(hashtext('keep_a_super_user'));
    if not exists (select from users where super_user and not pending) then
      raise exception 'the last super user stays' using errcode = 'check_violation', constraint = 'last_super_user';
    end if;
  end if;
  return null;
end $$;
create trigger keep_a_super_user after delete or update of super_user, pending on users
  for each row execute function keep_a_super_user();

create function note_operator() returns trigger language plpgsql as $$
begin
  new.operates_since := case when new.super_user or new.has_portal_role then coalesce(new.operates_since, now()) end;
  return new;
end $$;
create trigger note_operator before insert or update of super_user, has_portal_role on users
  for each row execute function note_operator();

create function forget_phone_proof() returns trigger language plpgsql as $$
begin
  new.phone_proven_at := null;
  new.phone_changed_at := now();
  return new;
end $$;
create trigger phone_changed before update of phone_number on users
  for each row when (old.phone_number is distinct from new.phone_number) execute function forget_phone_proof();

create table former_names (
  account_id uuid not null,
  email text not null,
  first_name text,
  last_name text,
  until timestamptz not null default now(),
  search text collate "C" not null generated always as (folded(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored
);
comment on table former_names is 'Names that people had until they were renamed or deleted: events from before keep them.';
create index former_names_by_account on former_names (account_id, until);

create function keep_former_name() returns trigger language plpgsql as $$
begin
  if old.first_name is not null or old.last_name is not null then
    insert into former_names (account_id, email, first_name, last_name)
      values (old.account_id, old.email, old.first_name, old.last_name);
  end if;
  return null;
end $$;
create trigger keep_name_of_renamed after update of first_name, last_name on users for each row
  when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function keep_former_name();
create trigger keep_name_of_deleted after delete on users for each row execute function keep_former_name();

create table passive_warnings (
  account_id uuid primary key references users on delete cascade,
  days_before smallint not null check (days_before in (14, 1, 0)),
  active_since timestamptz not null,
  sent_at timestamptz not null
);
comment on table passive_warnings is 'The latest warning before an account becomes passive; the nightly job sends each once.';
comment on column passive_warnings.days_before is '0: super users were warned, because the person is an organisation''s last admin.';
comment on column passive_warnings.active_since is
  'When the person was last active, or the account was created: the warning is void once the person is active again.';

create table data_copies (
  account_id uuid primary key references users on delete cascade,
  copy_id uuid not null unique,
  requested_at timestamptz not null,
  ready_at timestamptz,
  sealed bytea,
  constraint ready_with_content check ((ready_at is null) = (sealed is null))
);
comment on table data_copies is 'What a person asked to have: a copy of the own data, made by a job and removed after some days. A new request replaces it.';
comment on column data_copies.sealed is 'JSON, AES-256-GCM.';
create index data_copies_by_time on data_copies (ready_at);

alter table clients add constraint secret_maker foreign key (secret_made_by) references users on delete set null;
