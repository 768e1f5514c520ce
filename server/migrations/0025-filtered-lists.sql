-- What the filters of the lists count and find by: no query counts a hundred thousand people from zero.

create table account_counts (
  status text not null check (status in ('active', 'awaitsSignIn', 'passive')),
  login_method text not null check (is_login_method(login_method)),
  super_user boolean not null,
  accounts integer not null
);
comment on table account_counts is
  'Rows to be added up, like list_counts. A passive account that awaits its first sign-in counts as passive.';

create function account_status(pending boolean, passive_at timestamptz) returns text language sql immutable parallel safe
  return case when passive_at is not null then 'passive' when pending then 'awaitsSignIn' else 'active' end;

create function compact_account_counts() returns void language plpgsql as $$
begin
  if random() < 0.02 then
    with gone as (
      delete from account_counts where ctid in (select ctid from account_counts for update skip locked)
      returning status, login_method, super_user, accounts)
    insert into account_counts select status, login_method, super_user, sum(accounts) from gone
      group by 1, 2, 3 having sum(accounts) <> 0;
  end if;
end $$;

create function count_accounts() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' then
    insert into account_counts values
      (account_status(old.pending, old.passive_at), old.login_method, old.super_user, -1),
      (account_status(new.pending, new.passive_at), new.login_method, new.super_user, 1);
  else
    insert into account_counts
      select account_status(pending, passive_at), login_method, super_user,
        case tg_op when 'INSERT' then count(*) else -count(*) end
      from changed group by 1, 2, 3;
  end if;
  perform compact_account_counts();
  return null;
end $$;
create trigger count_new_accounts after insert on users referencing new table as changed
  for each statement execute function count_accounts();
create trigger count_gone_accounts after delete on users referencing old table as changed
  for each statement execute function count_accounts();
create trigger count_changed_account after update of pending, passive_at, login_method, super_user on users for each row
  when ((account_status(old.pending, old.passive_at), old.login_method, old.super_user)
    is distinct from (account_status(new.pending, new.passive_at), new.login_method, new.super_user))
  execute function count_accounts();
insert into account_counts
  select account_status(pending, passive_at), login_method, super_user, count(*) from users group by 1, 2, 3;

-- A day, not a moment: it changes once a day, so that the minutes of last_active stay out of every index.
alter table users add column idle_since date
  generated always as ((coalesce(last_active, created_at) at time zone 'Europe/Stockholm')::date) stored;
comment on column users.idle_since is 'The day, in Sweden, when the person was last active, or the account was created.';
create index users_by_idle_since on users (idle_since);

create index users_by_login_method on users (login_method);
create index unusual_users on users (account_id) where pending or passive_at is not null or super_user;
create index organization_admins on memberships (account_id) where user_role = 'organizationAdmin';
create index service_admins on service_assignments (account_id) where user_role = 'serviceAdmin';
