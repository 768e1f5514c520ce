-- How common a piece of a word is, as the last ANALYZE saw it. The statistics of an index belong to its owner, so the
-- serving role asks through this.
create function common_grams() returns table (gram text, share real)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select sample.gram, sample.share
  from pg_stats,
    lateral rows from (unnest(most_common_elems::text::text[]), unnest(most_common_elem_freqs)) as sample (gram, share)
  where schemaname = 'public' and tablename = 'directory_by_grams' and attname = 'search_grams' and sample.gram is not null
$$;
