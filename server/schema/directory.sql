-- What lists sort and search by, kept apart from what changes with every sign-in: narrow rows in the order of the
-- screens, and the pieces of every word. The triggers in lists.sql keep them.

-- Every four letters in a row of every word, and its last three, two and one: a shorter search is the beginning of a piece.
-- Not pg_trgm: that knows neither @ and - nor anything shorter than three letters.
create function search_grams(value text) returns tsvector language sql immutable strict parallel safe cost 1000
  return (select array_to_tsvector(array_agg(distinct substr(word, place, 4)))
    from regexp_split_to_table(value, '\s+') as word, generate_series(1, length(word)) as place);

create index organizations_by_grams on organizations using gin (search_grams(search)) with (fastupdate = off);

create table directory (
  account_id uuid primary key,
  invited boolean not null default false,
  email text collate "sv-x-icu" not null,
  first_name text collate "sv-x-icu" not null,
  last_name text collate "sv-x-icu" not null,
  person text collate "C" not null,
  search text collate "C" not null,
  name text collate "C" not null
    generated always as (left(split_part(search, E'\n', 1) || E'\n' || split_part(search, E'\n', 2), 200)) stored
);
comment on table directory is 'The people of the lists, a copy that triggers keep: in order of each column, and found by any part.';
comment on column directory.account_id is 'Of a person, or the id of an invitation.';
comment on column directory.invited is 'An invitation; else a person.';
comment on column directory.person is 'Names and address, folded, a line each.';
comment on column directory.search is 'The same, and the names and numbers of the organisations: for those who may see them all.';
comment on column directory.name is 'The first two lines of search: first and last name, where there are both.';
create index directory_by_email on directory (email, account_id);
create index directory_by_first_name on directory (first_name, account_id);
create index directory_by_last_name on directory (last_name, account_id);
-- Finds a person's place in a list without the wide row of the table.
create index directory_by_account on directory (account_id) include (email, first_name, last_name);
-- The invitations, counted without looking each of them up among all people.
create index invited_in_directory on directory (account_id) where invited;
-- Somebody's first and last name, as most searches of two words are. Among a million people thousands can have one name;
-- looking each of them up where it lies takes most of the time.
create index directory_by_name on directory (name) include (account_id, email, first_name, last_name);

-- The whole name is one more piece, so that a search can leave out those whom it finds by their name. It begins with a
-- line break: no word that somebody seeks does.
create function directory_grams(search text, name text) returns tsvector language sql immutable strict parallel safe cost 1000
  return search_grams(search) || array_to_tsvector(array[E'\n' || name]);
-- Without a list of pending entries: every search would read it from end to end.
create index directory_by_grams on directory using gin (directory_grams(search, name)) with (fastupdate = off);

-- How common a piece of a word is, as the last ANALYZE saw it. The statistics of an index belong to its owner, so the
-- serving role asks through this.
create function common_grams() returns table (gram text, share real)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select sample.gram, sample.share
  from pg_stats,
    lateral rows from (unnest(most_common_elems::text::text[]), unnest(most_common_elem_freqs)) as sample (gram, share)
  where schemaname = 'public' and tablename = 'directory_by_grams' and attname = 'directory_grams' and sample.gram is not null
$$;
