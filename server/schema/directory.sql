-- What lists sort and search by, kept apart from what changes with every sign-in: narrow rows in the order of the
-- screens, and the trigrams of what a search looks in. The triggers in lists.sql keep them.

-- Without a list of pending entries, here and below: every search would read it from end to end.
create index organizations_by_text on organizations using gin (search gin_trgm_ops) with (fastupdate = off);

create table directory (
  account_id uuid primary key,
  invited boolean not null default false,
  email text collate "sv-x-icu" not null,
  first_name text collate "sv-x-icu" not null,
  last_name text collate "sv-x-icu" not null,
  person text collate "C" not null,
  search text collate "C" not null
);
comment on table directory is 'The people of the lists, a copy that triggers keep: in order of each column, and found by any part.';
comment on column directory.account_id is 'Of a person, or the id of an invitation.';
comment on column directory.invited is 'An invitation; else a person.';
comment on column directory.person is 'Names and address, folded, a line each.';
comment on column directory.search is 'The same, and the names and numbers of the organisations: for those who may see them all.';
create index directory_by_email on directory (email, account_id);
create index directory_by_first_name on directory (first_name, account_id);
create index directory_by_last_name on directory (last_name, account_id);
-- Finds a person's place in a list without the wide row of the table.
create index directory_by_account on directory (account_id) include (email, first_name, last_name);
-- The invitations, counted without looking each of them up among all people.
create index invited_in_directory on directory (account_id) where invited;
create index directory_by_text on directory using gin (search gin_trgm_ops) with (fastupdate = off);
