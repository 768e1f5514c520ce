-- What lists sort and search by, kept apart from what changes with every sign-in: narrow rows in the order of the
-- screens, an index of every three signs in a row, and counts that nobody has to make anew.

-- One form for what is stored and what is typed: lower case, composed.
create function folded(value text) returns text language sql immutable strict parallel safe
  return normalize(lower(value collate "sv-x-icu"), NFC);

-- Every three signs in a row of every word, and its last two and last one: a search of one or two signs is a prefix.
-- Not pg_trgm: that knows neither @ and - nor anything shorter than three letters, and a server may lack it.
create function search_grams(value text) returns tsvector language sql immutable strict parallel safe cost 1000
  return (select array_to_tsvector(array_agg(distinct substr(word, place, 3)))
    from regexp_split_to_table(value, '\s+') as word, generate_series(1, length(word)) as place);

create table directory (
  account_id uuid primary key references users on delete cascade,
  email text collate "sv-x-icu" not null,
  first_name text collate "sv-x-icu" not null,
  last_name text collate "sv-x-icu" not null,
  person text collate "C" not null,
  search text collate "C" not null
);
comment on table directory is 'The people of the lists, a copy that triggers keep: in order of each column, and found by any part.';
comment on column directory.person is 'Names and address, folded, a line each.';
comment on column directory.search is 'The same, and the names and numbers of the organisations: for those who may see them all.';
create index directory_by_email on directory (email, account_id);
create index directory_by_first_name on directory (first_name, account_id);
create index directory_by_last_name on directory (last_name, account_id);
-- Without a list of pending entries: every search would read it from end to end.
create index directory_by_grams on directory using gin (search_grams(search)) with (fastupdate = off);

alter table organizations
  add column member_count integer not null default 0 check (member_count >= 0),
  add column search text collate "C" not null
    generated always as (folded(name || E'\n' || coalesce(organization_number, ''))) stored;
comment on column organizations.member_count is 'Kept by the triggers on memberships.';
create index organizations_by_number on organizations (organization_number, organization_id);
create index organizations_by_grams on organizations using gin (search_grams(search)) with (fastupdate = off);

alter table memberships
  add column email text collate "sv-x-icu" not null default '',
  add column first_name text collate "sv-x-icu" not null default '',
  add column last_name text collate "sv-x-icu" not null default '';
comment on column memberships.email is 'A copy that triggers keep, as the names are: an organisation''s list is read in order from an index.';
create index memberships_by_email on memberships (organization_id, email, account_id);
create index memberships_by_first_name on memberships (organization_id, first_name, account_id);
create index memberships_by_last_name on memberships (organization_id, last_name, account_id);

create table list_counts (
  users integer not null default 0,
  organizations integer not null default 0,
  changes bigint not null default 1
);
comment on table list_counts is 'Rows to be added up. Every change adds its own, so that nobody waits for another''s; now and then they become one.';
comment on column list_counts.changes is 'Their sum is the version of all lists: what was found under another one may have changed.';

create function count_list_change(more_users integer, more_organizations integer) returns void
  language plpgsql as $$
begin
  insert into list_counts (users, organizations) values (more_users, more_organizations);
  if random() < 0.02 then
    with gone as (
      delete from list_counts where ctid in (select ctid from list_counts for update skip locked)
      returning users, organizations, changes)
    insert into list_counts select sum(users), sum(organizations), sum(changes) from gone having count(*) > 0;
  end if;
end $$;

create function describe_people(ids uuid[]) returns void language plpgsql as $$
begin
  -- One after the other for the same person: whoever comes second sees what the first one did.
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
  perform count_list_change(0, 0);
end $$;

create function list_user_change() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then
      perform count_list_change((select count(*) from changed)::integer, 0);
      perform describe_people(array(select account_id from changed));
    when 'DELETE' then
      perform count_list_change(-(select count(*) from changed)::integer, 0);
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

create function list_organization_change() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then perform count_list_change(0, (select count(*) from changed)::integer);
    when 'DELETE' then perform count_list_change(0, -(select count(*) from changed)::integer);
    else perform describe_people(array(select account_id from memberships where organization_id = new.organization_id));
  end case;
  return null;
end $$;
create trigger list_new_organizations after insert on organizations referencing new table as changed
  for each statement execute function list_organization_change();
create trigger list_gone_organizations after delete on organizations referencing old table as changed
  for each statement execute function list_organization_change();
create trigger list_changed_organization after update of name, organization_number on organizations for each row
  when ((old.name, old.organization_number) is distinct from (new.name, new.organization_number))
  execute function list_organization_change();

-- What is there already.
update organizations set member_count = (select count(*) from memberships where memberships.organization_id = organizations.organization_id);
insert into list_counts (users, organizations) values ((select count(*) from users), (select count(*) from organizations));
select describe_people(array(select account_id from users));
