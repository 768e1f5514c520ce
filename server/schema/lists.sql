-- The triggers that keep what lists show: the directory, and the copies in memberships.

create function describe_people(ids uuid[]) returns void language plpgsql as $$
begin
  -- One after the other for the same person: the second one sees what the first one did.
  perform from directory where account_id = any (ids) order by account_id for update;
  insert into directory (account_id, email, first_name, last_name, person, search)
    select account_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person,
      concat_ws(E'\n', person, folded(organizations))
    from users,
      lateral (select folded(concat_ws(E'\n', first_name, last_name, email))) as words (person),
      lateral (
        select string_agg(concat_ws(E'\n', name, organization_number), E'\n')
        from memberships join organizations using (organization_id) where memberships.account_id = users.account_id
      ) as places (organizations)
    where account_id = any (ids)
    on conflict (account_id) do update set (email, first_name, last_name, person, search) =
      (excluded.email, excluded.first_name, excluded.last_name, excluded.person, excluded.search);
  update memberships set email = directory.email, first_name = directory.first_name, last_name = directory.last_name
    from directory
    where memberships.account_id = any (ids) and directory.account_id = memberships.account_id
      and (memberships.email, memberships.first_name, memberships.last_name)
        is distinct from (directory.email, directory.first_name, directory.last_name);
end $$;

create function list_invitations(ids uuid[]) returns void language plpgsql as $$
begin
  delete from directory where account_id = any (ids);
  insert into directory (account_id, email, first_name, last_name, person, search, invited)
    select invitation_id, email, coalesce(first_name, ''), coalesce(last_name, ''), person,
      concat_ws(E'\n', person, folded(concat_ws(E'\n', o.name, o.organization_number))), true
    from invitations i left join organizations o using (organization_id),
      lateral (select folded(concat_ws(E'\n', first_name, last_name, i.email))) as words (person)
    where invitation_id = any (ids) and not exists (select from users u where u.email = i.email)
    on conflict (account_id) do nothing;
end $$;

-- People.
create function list_user_change() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform describe_people(array(select account_id from changed));
      perform list_invitations(array(select invitation_id from invitations join changed using (email)));
    when 'DELETE' then
      delete from directory using changed where directory.account_id = changed.account_id;
      perform list_invitations(array(select invitation_id from invitations join changed using (email)));
    else
      perform describe_people(array[new.account_id]);
  end case;
  return null;
end $$;
create trigger list_new_users after insert on users referencing new table as changed
  for each statement execute function list_user_change();
create trigger list_gone_users after delete on users referencing old table as changed
  for each statement execute function list_user_change();
create trigger list_changed_user after update of email, first_name, last_name on users for each row
  when ((old.email, old.first_name, old.last_name) is distinct from (new.email, new.first_name, new.last_name))
  execute function list_user_change();

-- Their memberships.
create function list_membership_change() returns trigger language plpgsql as $$
begin
  -- The organisation's row first: its name cannot change until what is written here is there to be seen.
  perform from organizations where organization_id in (select organization_id from changed)
    order by organization_id for no key update;
  update organizations set member_count = member_count + case tg_op when 'INSERT' then count else -count end
    from (select organization_id, count(*)::integer as count from changed group by 1) as counted
    where organizations.organization_id = counted.organization_id;
  perform describe_people(array(select distinct account_id from changed));
  return null;
end $$;
create trigger list_new_memberships after insert on memberships referencing new table as changed
  for each statement execute function list_membership_change();
create trigger list_gone_memberships after delete on memberships referencing old table as changed
  for each statement execute function list_membership_change();

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

-- Invitations: an address without an account stands once for each of its invitations.
create function list_invitation_change() returns trigger language plpgsql as $$
begin
  perform list_invitations(array(select invitation_id from changed));
  return null;
end $$;
create trigger list_new_invitations after insert on invitations referencing new table as changed
  for each statement execute function list_invitation_change();
create trigger list_gone_invitations after delete on invitations referencing old table as changed
  for each statement execute function list_invitation_change();

-- Organisations.
create function list_organization_change() returns trigger language plpgsql as $$
begin
  perform describe_people(array(select account_id from memberships where organization_id = new.organization_id));
  perform list_invitations(array(select invitation_id from invitations where organization_id = new.organization_id));
  return null;
end $$;
create trigger list_changed_organization after update of name, organization_number on organizations for each row
  when ((old.name, old.organization_number) is distinct from (new.name, new.organization_number))
  execute function list_organization_change();
