-- pg_trgm splits words at an @: to find part of an address, every event of all who have the part before it was read. As a letter it stands
-- in the trigrams.
drop index audit_events_by_text;
create index audit_events_by_text on audit_events_sealed
  using gin (replace(actor_search || chr(10) || target_search, '@', 'q') gin_trgm_ops) with (fastupdate = off);
