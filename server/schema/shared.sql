-- What several rooms use.

-- Trusted: the owner of the database may create it.
create extension if not exists pg_trgm;

create function is_login_method(value text) returns boolean
  language sql immutable parallel safe
  return value in ({{loginMethods}});

-- One form for what is stored and what is typed: lower case, composed.
create function folded(value text) returns text language sql immutable strict parallel safe
  return normalize(lower(value collate "sv-x-icu"), NFC);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Everything that gives access may begin and end with a day, both included. Queries ask, so no job has to run for an end.
create function access_day() returns date language sql stable parallel safe
  return (now() at time zone 'Europe/Stockholm')::date;
comment on function access_day is 'The day that counts, in Sweden. Tests put another one in its place.';
create function is_current(valid_from date, valid_until date) returns boolean language sql stable parallel safe
  return coalesce(valid_from <= access_day(), true) and coalesce(valid_until >= access_day(), true);
