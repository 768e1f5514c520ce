-- Tamper-evident: rows are only ever added, and each carries a hash over itself and the row before.
-- Everything is decided by triggers, so that no insert can leave the chain out.

create table audit_events (
  id uuid primary key,
  seq bigint not null unique default 0,
  name text not null,
  actor_id uuid,
  actor text,
  target_id text,
  target text,
  organization_ids uuid[] not null default '{}',
  changes jsonb not null default '[]',
  request_id text,
  created_at timestamptz not null,
  previous_hash bytea not null default '',
  hash bytea not null default ''
);
comment on column audit_events.seq is 'Place in the chain; this, previous_hash and hash are filled in by the trigger, whatever the insert says.';
comment on column audit_events.actor is 'The label at the time: it stays when the person is erased.';
comment on column audit_events.organization_ids is 'Organisations of actor and target at the time: their admins may read the event.';
create index audit_events_by_time on audit_events (created_at, id);
create index audit_events_by_name on audit_events (name, created_at);
create index audit_events_by_organization on audit_events using gin (organization_ids);

create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, sha256('vestibule audit chain'));

-- Length-prefixed fields, so that no two different rows read the same. `audit verify` builds the same bytes by itself.
create function audit_event_bytes(event audit_events) returns bytea language sql immutable
  set search_path = pg_catalog
  return convert_to((
    select string_agg(coalesce(octet_length(field)::text || ':' || field, '-'), ',' order by position)
    from unnest(array[
      event.seq::text, event.id::text, event.name, event.actor_id::text, event.actor, event.target_id, event.target,
      array_to_string(event.organization_ids, ' '), event.changes::text, event.request_id,
      (extract(epoch from event.created_at) * 1000000)::bigint::text
    ]) with ordinality as fields (field, position)), 'UTF8');

create function chain_audit_event() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  head record;
begin
  execute format('select seq, hash from %I.audit_head for update', tg_table_schema) into head;
  new.seq := head.seq + 1;
  new.previous_hash := head.hash;
  execute format('select sha256($1 || %I.audit_event_bytes($2))', tg_table_schema) into new.hash using head.hash, new;
  execute format('update %I.audit_head set seq = $1, hash = $2', tg_table_schema) using new.seq, new.hash;
  return new;
end $$;
create trigger chain_audit_event before insert on audit_events for each row execute function chain_audit_event();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_are_append_only before update or delete on audit_events
  for each row execute function refuse_change();
create trigger audit_events_are_never_emptied before truncate on audit_events
  for each statement execute function refuse_change();
create trigger audit_head_stays before delete on audit_head for each row execute function refuse_change();
create trigger audit_head_is_never_emptied before truncate on audit_head for each statement execute function refuse_change();
