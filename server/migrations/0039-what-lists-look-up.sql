-- What lists looked up by row, read in one go.

-- A service's holders in all organisations; by the index that begins with the organisation they took a search for each.
create index holders_of_service on service_assignments (service_id, account_id);

-- The few accounts that filters find or leave out, without the wide row of each.
create index unusual_users_by_filter on users (account_id) include (pending, passive_at, super_user, login_method, idle_since)
  where pending or passive_at is not null or super_user;
drop index unusual_users;
alter index unusual_users_by_filter rename to unusual_users;

-- The invitations of the directory, counted without looking each of them up among all people.
alter table directory add column invited boolean not null default false;
comment on column directory.invited is 'An invitation; else a person.';
update directory set invited = true from invitations where invitation_id = directory.account_id;
create index invited_in_directory on directory (account_id) where invited;

create or replace function list_invitations(ids uuid[]) returns void language plpgsql as $$
declare
  gone integer;
  come integer;
begin
  delete from directory where account_id = any (ids);
  get diagnostics gone = row_count;
  insert into directory (account_id, email, first_name, last_name, person, search, invited)
    select invitation_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person,
      concat_ws(E'\n', person, folded(concat_ws(E'\n', o.name, o.organization_number))), true
    from invitations i left join organizations o using (organization_id),
      lateral (select folded(concat_ws(E'\n', first_name, last_name, i.email))) as words (person)
    where invitation_id = any (ids) and not exists (select from users u where u.email = i.email)
    on conflict (account_id) do nothing;
  get diagnostics come = row_count;
  perform count_list_change(come - gone, 0);
end $$;

-- An organisation's list filters by its own copies, as it sorts by them: it looks up no member elsewhere to count them.
alter table memberships
  add column login_method text,
  add column idle_since date;
comment on column memberships.login_method is 'A copy that triggers keep, as idle_since is. It changes once a day, so it stands in one index only.';

-- The person's lock first: the account does not change between the copy and the row that takes it.
create function copy_account_to_membership() returns trigger language plpgsql as $$
begin
  select login_method, idle_since into new.login_method, new.idle_since
    from users where account_id = new.account_id for no key update;
  return new;
end $$;
create trigger copy_account_to_new_membership before insert on memberships
  for each row execute function copy_account_to_membership();

create function copy_account_to_memberships() returns trigger language plpgsql as $$
begin
  update memberships set login_method = new.login_method, idle_since = new.idle_since
    where account_id = new.account_id;
  return null;
end $$;
create trigger copy_changed_account after update of login_method, idle_since on users for each row
  when ((old.login_method, old.idle_since) is distinct from (new.login_method, new.idle_since))
  execute function copy_account_to_memberships();

update memberships set login_method = users.login_method, idle_since = users.idle_since
  from users where users.account_id = memberships.account_id;
drop index memberships_by_organization;
create index memberships_by_organization on memberships (organization_id, account_id) include (login_method, idle_since);
