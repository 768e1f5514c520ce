-- The audit log finds people by label, which is their address, and by name. Nearly all who have a word in their name have it in
-- their address too; this index holds the others alone, so that a common name does not read most of the directory (decision 0057).

create function names_beyond(person text, email text) returns text language sql immutable strict parallel safe cost 1000
  return (select string_agg(word, ' ') from regexp_split_to_table(person, '\s+') as words (word) where strpos(email, word) = 0);
comment on function names_beyond is 'The words of a person that are no part of the address.';
create index directory_by_names_beyond on directory using gin (search_grams(names_beyond(person, email))) with (fastupdate = off);
analyze directory;

-- The newest events are read from the index alone soon after they were written, and not once a fifth of all are new.
alter table audit_index set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000);
