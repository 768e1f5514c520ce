-- Who belongs to which organisation, and how.

create table memberships (
  account_id uuid not null references users on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  user_role text not null default 'regular' check (user_role in ('regular', 'organizationAdmin')),
  entry text not null default 'joined' check (entry in ('opened', 'joined', 'guest')),

  -- First and last day of the membership, and of the admin role within it.
  valid_from date,
  valid_until date,
  role_from date,
  role_until date,
  role_since timestamptz not null default now(),

  -- Copies that triggers keep: an organisation's list is read in order from an index, and filtered in it.
  email text collate "sv-x-icu" not null default '',
  first_name text collate "sv-x-icu" not null default '',
  last_name text collate "sv-x-icu" not null default '',
  login_method text,
  idle_since date,

  version integer not null default 1 + floor(random() * 1000000)::integer,
  created_at timestamptz not null default now(),
  primary key (account_id, organization_id),
  constraint membership_period check (valid_until >= valid_from),
  constraint role_period check (role_until >= role_from),
  constraint regular_role_has_no_period check (user_role <> 'regular' or (role_from is null and role_until is null))
);
comment on column memberships.entry is
  '"opened": by the invitation that opened the account; "joined": with an existing account, so that the organisation''s sign-in method is the floor; "guest": likewise, with the own sign-in in an organisation with organisation sign-in.';
comment on column memberships.role_since is
  'When the role or one of the days was last set, which a trigger keeps: a new admin does not yet confirm what another one asked for.';
comment on column memberships.email is 'A copy that triggers keep, as the names are: an organisation''s list is read in order from an index.';
comment on column memberships.login_method is 'A copy that triggers keep, as idle_since is. It changes once a day, so it stands in one index only.';
comment on column memberships.version is
  'Raised with each change of role or services in this organisation. Random at first, so that a membership that ended and began again has another one.';
create index memberships_by_organization on memberships (organization_id, account_id) include (login_method, idle_since);
create index memberships_by_email on memberships (organization_id, email, account_id);
create index memberships_by_first_name on memberships (organization_id, first_name, account_id);
create index memberships_by_last_name on memberships (organization_id, last_name, account_id);
create index organization_admins on memberships (account_id) where user_role = 'organizationAdmin';
-- What ends soon, or has ended. Its condition follows from any comparison of the same expression, so that the planner sees it.
create index memberships_by_end on memberships (least(valid_until, role_until), organization_id)
  where least(valid_until, role_until) is not null;

create view current_memberships as
  select account_id, organization_id,
    case when is_current(role_from, role_until) then user_role else 'regular' end as user_role,
    entry, valid_from, valid_until, role_from, role_until, email, first_name, last_name, login_method, idle_since, version, created_at
  from memberships where is_current(valid_from, valid_until);
comment on view current_memberships is
  'Who belongs to an organisation today, and with which role. Whatever gives access reads this; the table is for those who administer.';
grant select on current_memberships to public;

-- Someone who joined with an existing account meets the organisation's sign-in method as a floor (product-rules 11.4).
-- Whether a session that has proven these methods (amr, RFC 8176) may enter: one place says so, to every query. What
-- meets what stands in contract/sign-in-methods.ts.
create function meets_floor(
  entry text, required boolean, login_method text, organization_saml integer, account_saml integer,
  user_role text, second_factors text[], strong_admins_from date, amr jsonb
) returns boolean language sql stable parallel safe
  return coalesce(case
    when login_method in ({{localMethods}}) and user_role = 'organizationAdmin'
      and strong_admins_from <= (now() at time zone 'Europe/Stockholm')::date then amr ?| array[{{strongAdmins}}]
    when login_method = 'local2FA' and second_factors is not null
      then amr ?| {{takenFactors}}
    when entry = 'opened' and not required then true
    {{meetsLogin}}
  end, false);

-- Whether an organisation of a person wants passwords to be younger than this one.
create function password_is_old(account uuid, changed_at timestamptz) returns boolean language sql stable parallel safe
  return exists (
    select from current_memberships m join organizations o on o.organization_id = m.organization_id
    where m.account_id = account and changed_at < now() - make_interval(days => o.max_password_age_days));

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

create function note_new_role() returns trigger language plpgsql as $$
begin
  new.role_since := now();
  return new;
end $$;
create trigger note_new_role before update of user_role, valid_from, valid_until, role_from, role_until on memberships
  for each row when (row (old.user_role, old.valid_from, old.valid_until, old.role_from, old.role_until)
    is distinct from row (new.user_role, new.valid_from, new.valid_until, new.role_from, new.role_until))
  execute function note_new_role();

create table passive_reports (
  organization_id uuid not null,
  account_id uuid not null,
  primary key (organization_id, account_id),
  foreign key (account_id, organization_id) references memberships on delete cascade
);
comment on table passive_reports is 'Newly passive users of whom the admins of their organisation have not been told yet.';
create index passive_reports_by_account on passive_reports (account_id, organization_id);
