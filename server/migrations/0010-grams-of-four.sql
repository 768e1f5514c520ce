-- Four signs in a row are a hundred times as rare as three: among a million people, a number or an address is found by
-- pieces that few have. Three letters are the beginning of a piece, as two and one are.
create or replace function search_grams(value text) returns tsvector language sql immutable strict parallel safe cost 1000
  return (select array_to_tsvector(array_agg(distinct substr(word, place, 4)))
    from regexp_split_to_table(value, '\s+') as word, generate_series(1, length(word)) as place);
reindex index directory_by_grams;
reindex index organizations_by_grams;
analyze directory, organizations;
