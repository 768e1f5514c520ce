-- The filter by the last active day is counted from account_counts too, and searches among filtered people are cached.

-- The lock of the trigger comes first: no account changes between the new count and the new triggers.
drop trigger count_changed_account on users;
delete from account_counts;
alter table account_counts add column idle_since date not null;
comment on table account_counts is
  'Rows to be added up, like list_counts: accounts by status, sign-in method, super user and day of the last activity. A passive account that awaits its first sign-in counts as passive.';

-- Only what several rows say is added up: there is a row or more for each day.
create or replace function compact_account_counts() returns void language plpgsql as $$
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

create or replace function count_accounts() returns trigger language plpgsql as $$
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
create trigger count_changed_account
  after update of pending, passive_at, login_method, super_user, idle_since on users for each row
  when ((account_status(old.pending, old.passive_at), old.login_method, old.super_user, old.idle_since)
    is distinct from (account_status(new.pending, new.passive_at), new.login_method, new.super_user, new.idle_since))
  execute function count_accounts();
insert into account_counts (status, login_method, super_user, idle_since, accounts)
  select account_status(pending, passive_at), login_method, super_user, idle_since, count(*) from users
  group by 1, 2, 3, 4;

create function list_login_method_change() returns trigger language plpgsql as $$
begin
  perform count_list_change(0, 0);
  return null;
end $$;
create trigger list_changed_login_method after update of login_method on organizations for each row
  when (old.login_method is distinct from new.login_method) execute function list_login_method_change();

-- Finds a person's place in a list without the wide row of the table.
create index directory_by_account on directory (account_id) include (email, first_name, last_name);
create index users_by_what_filters_ask on users (account_id) include (login_method, idle_since);
