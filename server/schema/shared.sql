-- What several rooms use.

-- Trusted: the owner of the database may create it.
create extension if not exists pg_trgm;

create function is_login_method(value text) returns boolean
  language sql immutable parallel safe
  return value in ('bankid', 'local', 'saml', 'local2FA');

-- One form for what is stored and what is typed: lower case, composed.
create function folded(value text) returns text language sql immutable strict parallel safe
  return normalize(lower(value collate "sv-x-icu"), NFC);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
