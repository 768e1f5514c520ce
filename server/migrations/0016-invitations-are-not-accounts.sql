-- An invitation is not an account. Rows of users, memberships and service_assignments are accepted by their person; what
-- waits for an answer stands in invitations alone, with the role and the services that were chosen.

alter table users
  add column email_proven_at timestamptz,
  add column email_proof text check (email_proof in ('mailedLink', 'mailedCode', 'samlDomain', 'operator')),
  add constraint user_email_proof_whole check ((email_proven_at is null) = (email_proof is null));
comment on column users.email_proof is
  'How the person proved to read mail at this address. "operator": a super user, by the word of who runs the portal; no proof to others.';

alter table invitations
  add column first_name text collate "sv-x-icu" check (first_name <> ''),
  add column last_name text collate "sv-x-icu" check (last_name <> ''),
  add column user_role text not null default 'regular' check (user_role in ('regular', 'organizationAdmin')),
  add column version integer not null default 1,
  add constraint invitation_of_organization unique (invitation_id, organization_id);
comment on column invitations.first_name is 'As the inviter typed it, and so is the last name: never those of an account.';

create table invitation_services (
  invitation_id uuid not null,
  organization_id uuid not null,
  service_id uuid not null,
  user_role text not null default 'regular' check (user_role in ('regular', 'serviceAdmin')),
  primary key (invitation_id, service_id),
  foreign key (invitation_id, organization_id) references invitations (invitation_id, organization_id) on delete cascade,
  foreign key (organization_id, service_id) references organization_services on delete cascade
);
comment on table invitation_services is 'What an invitation promises. Seats are taken when it is accepted.';
create index invitation_services_by_service on invitation_services (organization_id, service_id);

-- Memberships of pending accounts that nobody accepted become invitations; links that are out stay as they are.
create temporary table waiting on commit drop as
  select m.account_id, m.organization_id, m.user_role, m.created_at, u.email, u.first_name, u.last_name
  from memberships m join users u using (account_id)
  where u.pending and not exists (
    select from invitations i
    where i.account_id = m.account_id and i.organization_id = m.organization_id and i.accepted_at is not null);
insert into invitations (invitation_id, account_id, organization_id, email, login_method, sent_at, expires_at, created_at)
  select gen_random_uuid(), account_id, organization_id, email, 'local', created_at, created_at, created_at from waiting
  on conflict do nothing;
update invitations i set email = w.email, user_role = w.user_role, first_name = nullif(w.first_name, ''),
    last_name = nullif(w.last_name, '')
  from waiting w where w.account_id = i.account_id and w.organization_id = i.organization_id;
insert into invitation_services (invitation_id, organization_id, service_id, user_role)
  select i.invitation_id, a.organization_id, a.service_id, a.user_role
  from service_assignments a join waiting w using (account_id, organization_id)
    join invitations i on i.account_id = a.account_id and i.organization_id = a.organization_id;
delete from invitations i
  where i.accepted_at is not null
    or (i.organization_id is null and not exists (select from users u where u.account_id = i.account_id and u.pending))
    or (i.organization_id is not null and not exists (
      select from waiting w where w.account_id = i.account_id and w.organization_id = i.organization_id));

-- Nobody accepted anything for these: they are no accounts. Their mails stay.
create temporary table unaccepted on commit drop as
  select account_id from users u where pending and not exists (
    select from memberships m where m.account_id = u.account_id and not exists (
      select from waiting w where w.account_id = m.account_id and w.organization_id = m.organization_id));
delete from memberships m using waiting w
  where w.account_id = m.account_id and w.organization_id = m.organization_id;
update outbox_messages set account_id = null where account_id in (select account_id from unaccepted);

alter table invitations
  drop constraint invitation_once,
  drop column account_id;
delete from users where account_id in (select account_id from unaccepted);

drop trigger withdraw_ended_invitation_mail on invitations;
alter table invitations
  drop column login_method,
  drop column accepted_at,
  drop column ssn_given,
  add constraint invitation_once unique nulls not distinct (organization_id, email);
create trigger withdraw_replaced_invitation_mail after update of token_version on invitations
  for each row when (new.token_version <> old.token_version)
  execute function withdraw_invitation_mail();
comment on table invitations is 'Open or expired. Accepting, declining or withdrawing one deletes it; the audit event is the record.';
comment on column invitations.email is 'Canonical. Whether it has an account is not for the inviter to know.';
create index invitations_by_email on invitations (email);

-- Super users are the word of who runs the portal; of everybody else nothing was written down.
update users set email_proof = 'operator', email_proven_at = now() where super_user;
alter table users add constraint user_super_is_proven check (not super_user or email_proof is not null);

-- Lists show invitations too: an organisation's list in order of each column, as it shows members; the list of everybody
-- from the directory, where an address without an account stands once for each of its invitations.
drop index invitations_by_organization;
create index invitations_by_place on invitations (organization_id, (email collate "sv-x-icu"), invitation_id);
create index invitations_by_first_name on invitations (organization_id, (coalesce(first_name, '')), invitation_id);
create index invitations_by_last_name on invitations (organization_id, (coalesce(last_name, '')), invitation_id);

alter table directory drop constraint directory_account_id_fkey;
comment on column directory.account_id is 'Of a person, or the id of an invitation.';

create function list_invitations(ids uuid[]) returns void language plpgsql as $$
declare
  gone integer;
  come integer;
begin
  delete from directory where account_id = any (ids);
  get diagnostics gone = row_count;
  insert into directory (account_id, email, first_name, last_name, person, search)
    select invitation_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person,
      concat_ws(E'\n', person, folded(concat_ws(E'\n', o.name, o.organization_number)))
    from invitations i left join organizations o using (organization_id),
      lateral (select folded(concat_ws(E'\n', first_name, last_name, i.email))) as words (person)
    where invitation_id = any (ids) and not exists (select from users u where u.email = i.email)
    on conflict (account_id) do nothing;
  get diagnostics come = row_count;
  perform count_list_change(come - gone, 0);
end $$;

create function list_invitation_change() returns trigger language plpgsql as $$
begin
  perform list_invitations(array(select invitation_id from changed));
  return null;
end $$;
create trigger list_new_invitations after insert on invitations referencing new table as changed
  for each statement execute function list_invitation_change();
create trigger list_gone_invitations after delete on invitations referencing old table as changed
  for each statement execute function list_invitation_change();

create or replace function list_user_change() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform count_list_change((select count(*) from changed)::integer, 0);
      perform describe_people(array(select account_id from changed));
      perform list_invitations(array(select invitation_id from invitations join changed using (email)));
    when 'DELETE' then
      delete from directory using changed where directory.account_id = changed.account_id;
      perform count_list_change(-(select count(*) from changed)::integer, 0);
      perform list_invitations(array(select invitation_id from invitations join changed using (email)));
    else
      perform describe_people(array[new.account_id]);
  end case;
  return null;
end $$;

create or replace function list_organization_change() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then perform count_list_change(0, (select count(*) from changed)::integer);
    when 'DELETE' then perform count_list_change(0, -(select count(*) from changed)::integer);
    else
      perform describe_people(array(select account_id from memberships where organization_id = new.organization_id));
      perform list_invitations(array(select invitation_id from invitations where organization_id = new.organization_id));
  end case;
  return null;
end $$;

select list_invitations(array(select invitation_id from invitations));
