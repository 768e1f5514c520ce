-- What the filters of the lists count by: no query counts a hundred thousand people from zero.

create table account_counts (
  status text not null check (status in ('active', 'awaitsSignIn', 'passive')),
  login_method text not null check (is_login_method(login_method)),
  super_user boolean not null,
  idle_since date not null,
  accounts integer not null
);
comment on table account_counts is
  'Rows to be added up, like list_counts: accounts by status, sign-in method, super user and day of the last activity. A passive account that awaits its first sign-in counts as passive.';

create function account_status(pending boolean, passive_at timestamptz) returns text language sql immutable parallel safe
  return case when passive_at is not null then 'passive' when pending then 'awaitsSignIn' else 'active' end;

-- Only what several rows say is added up: there is a row or more for each day.
create function compact_account_counts() returns void language plpgsql as $$
begin
  if random() < 0.02 then
    with several as (
      select status, login_method, super_user, idle_since from account_counts group by 1, 2, 3, 4 having count(*) > 1),
    gone as (
      delete from account_counts where ctid in (
        select c.ctid from account_counts c join several using (status, login_method, super_user, idle_since)
        for update of c skip locked)
      returning *)
    insert into account_counts (status, login_method, super_user, idle_since, accounts)
      select status, login_method, super_user, idle_since, sum(accounts) from gone
      group by 1, 2, 3, 4 having sum(accounts) <> 0;
  end if;
end $$;

create function count_accounts() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' then
    insert into account_counts (status, login_method, super_user, idle_since, accounts) values
      (account_status(old.pending, old.passive_at), old.login_method, old.super_user, old.idle_since, -1),
      (account_status(new.pending, new.passive_at), new.login_method, new.super_user, new.idle_since, 1);
    -- A new day alone does not change the version of the lists: it would be a new one with every person of the day.
    if (account_status(old.pending, old.passive_at), old.login_method, old.super_user)
      is distinct from (account_status(new.pending, new.passive_at), new.login_method, new.super_user)
    then perform count_list_change(0, 0); end if;
  else
    insert into account_counts (status, login_method, super_user, idle_since, accounts)
      select account_status(pending, passive_at), login_method, super_user, idle_since,
        case tg_op when 'INSERT' then count(*) else -count(*) end
      from changed group by 1, 2, 3, 4;
  end if;
  perform compact_account_counts();
  return null;
end $$;
create trigger count_new_accounts after insert on users referencing new table as changed
  for each statement execute function count_accounts();
create trigger count_gone_accounts after delete on users referencing old table as changed
  for each statement execute function count_accounts();
create trigger count_changed_account
  after update of pending, passive_at, login_method, super_user, idle_since on users for each row
  when ((account_status(old.pending, old.passive_at), old.login_method, old.super_user, old.idle_since)
    is distinct from (account_status(new.pending, new.passive_at), new.login_method, new.super_user, new.idle_since))
  execute function count_accounts();
