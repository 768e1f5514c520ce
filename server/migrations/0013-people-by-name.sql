-- Somebody's first and last name, as most searches of two words are: read from an index that lies in the order of the
-- names. Among a million people thousands can have one name; looking each of them up where it lies took most of the time.
-- First of all: an index that must be made anew is not to be carried along before.
drop index directory_by_grams;
alter table directory add column name text collate "C" not null
  generated always as (left(split_part(search, E'\n', 1) || E'\n' || split_part(search, E'\n', 2), 200)) stored;
comment on column directory.name is 'The first two lines of search: first and last name, where there are both.';
create index directory_by_name on directory (name) include (account_id, email, first_name, last_name);

-- The whole name is one more piece, so that a search can leave out those whom it finds by their name. It begins with a
-- line break: no word that somebody seeks does.
create function directory_grams(search text, name text) returns tsvector language sql immutable strict parallel safe cost 1000
  return search_grams(search) || array_to_tsvector(array[E'\n' || name]);
create index directory_by_grams on directory using gin (directory_grams(search, name)) with (fastupdate = off);

create or replace function common_grams() returns table (gram text, share real)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select sample.gram, sample.share
  from pg_stats,
    lateral rows from (unnest(most_common_elems::text::text[]), unnest(most_common_elem_freqs)) as sample (gram, share)
  where schemaname = 'public' and tablename = 'directory_by_grams' and attname = 'directory_grams' and sample.gram is not null
$$;
analyze directory;
