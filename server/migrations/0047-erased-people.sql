-- A person who was deleted can be erased from the audit log too (decision 0052): a pseudonym takes the place of the address,
-- and the chain stays whole.

-- Without it, the digest of an event that was erased would confirm a guess at what the event said.
alter table audit_events add column salt uuid;
alter table audit_events alter column salt set default gen_random_uuid();
comment on column audit_events.salt is 'Random, part of the digest, and gone with what was erased. Null also for events of before migration 0047.';
comment on column audit_events.actor is 'The label at the time: it stays when the person is deleted, until the person is erased.';

create or replace function seal_audit_events(most integer) returns integer language plpgsql security definer as $$
declare
  head audit_head;
  first_seq bigint;
  event record;
begin
  if not exists (select from audit_unsealed) then return 0; end if;
  select * into head from audit_head for update skip locked;
  if not found then return 0; end if;
  first_seq := head.seq + 1;
  for event in
    with due as (
      select ctid from audit_unsealed order by queued_at, event_id limit most
    ), taken as (
      delete from audit_unsealed u using due where u.ctid = due.ctid returning u.*
    )
    select event_id, t.created_at, audit_family(name, target_id) as family,
      (extract(epoch from t.created_at) * 1000000)::bigint::text as microseconds,
      sha256(convert_to(audit_field(e.id::text) || ',' || audit_field(name) || ',' || audit_field(actor_id::text) || ','
        || audit_field(actor) || ',' || audit_field(target_id) || ',' || audit_field(target) || ','
        || audit_field(array_to_string(organization_ids, ' ')) || ',' || audit_field(changes::text) || ','
        || audit_field(request_id) || ','
        || audit_field((extract(epoch from t.created_at) * 1000000)::bigint::text)
        || case when salt is null then '' else ',' || audit_field(salt::text) end, 'UTF8')) as digest
    -- A queued event that somebody deleted gets its place too, so that it is missed.
    from taken t left join audit_events e on e.id = t.event_id and e.created_at = t.created_at
    order by queued_at, event_id
  loop
    head.seq := head.seq + 1;
    event.digest := coalesce(event.digest, sha256(''));
    insert into audit_chain (seq, family, event_id, created_at, digest, previous_hash, hash)
      values (head.seq, event.family, event.event_id, event.created_at, event.digest, head.hash,
        sha256(head.hash || convert_to(audit_field(head.seq::text) || ',' || audit_field(event.family) || ','
          || audit_field(event.microseconds) || ',' || audit_field(encode(event.digest, 'hex')), 'UTF8')))
      returning hash into head.hash;
  end loop;
  update audit_head set seq = head.seq, hash = head.hash;
  perform count_audit_events(first_seq);
  return head.seq - first_seq + 1;
end $$;

create table audit_erasures (
  number bigint generated always as identity primary key,
  signed text not null,
  created_at timestamptz not null
);
comment on table audit_erasures is 'Signed lists of events whose content is no longer the one that was sealed, each with the digest of what is left.';
create trigger audit_erasures_never_change before update or delete on audit_erasures
  for each row execute function refuse_change();
create trigger audit_erasures_are_never_emptied before truncate on audit_erasures
  for each statement execute function refuse_change();

-- Labels may become pseudonyms and values of changes may go. Everything else of an event stays.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
begin
  if (new.id, new.name, new.actor_id, new.target_id, new.organization_ids, new.request_id, new.created_at)
      is not distinct from (old.id, old.name, old.actor_id, old.target_id, old.organization_ids, old.request_id, old.created_at)
    and new.salt is null
    and (new.actor is not distinct from old.actor or new.actor ~ '^erased:[0-9a-f]{8}$')
    and (new.target is not distinct from old.target or new.target ~ '^erased:[0-9a-f]{8}$')
    and jsonb_path_query_array(new.changes, '$[*].property') = jsonb_path_query_array(old.changes, '$[*].property')
  then return new; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
drop trigger audit_events_never_change on audit_events;
create trigger audit_events_never_change before update on audit_events
  for each row execute function refuse_change_but_erasure();

create function former_addresses(subject text) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct address), '{}') from (
    select target as address from audit_events where target_id = subject
    union all select actor from audit_events where actor_id::text = subject
    union all select email from former_names where account_id::text = subject) known
  -- An address that someone has now is theirs.
  where address like '%_@_%' and not exists (select from users u where u.email = address)
$$;
comment on function former_addresses is 'The addresses in the audit log of someone who was deleted.';

-- Values that say nothing about who it was, once the label is gone.
create function without_person(changes jsonb, pseudonym text, is_target boolean, is_actor boolean, addresses text)
  returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case
    when is_target and property not in ('method', 'client', 'loginMethod', 'userRole', 'superUser', 'organization',
        'organizations', 'service', 'services', 'pending', 'passive', 'preferredLanguage')
      or (is_actor or is_target) and property in ('address', 'browser')
    then jsonb_build_object('property', property,
      'previousValue', case when previous is not null then pseudonym end,
      'newValue', case when next is not null then pseudonym end)
    when addresses is null then change
    else jsonb_build_object('property', property,
      'previousValue', regexp_replace(previous, addresses, pseudonym, 'gi'),
      'newValue', regexp_replace(next, addresses, pseudonym, 'gi')) end order by place), '[]')
  from jsonb_array_elements(changes) with ordinality as listed (change, place),
    lateral (select change ->> 'property', change ->> 'previousValue', change ->> 'newValue') as parts (property, previous, next)
$$;

create function keep_audit_erasure(signed text, at timestamptz) returns void language sql security definer
  as 'insert into audit_erasures (signed, created_at) values (signed, at)';

do $$
declare
  signature text;
begin
  foreach signature in array array['seal_audit_events(integer)', 'keep_audit_erasure(text, timestamptz)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;

-- What the job remove-expired finds.
create index access_requests_refused on access_requests (created_at) where refused_because is not null;
create index access_reviews_finished on access_reviews (finished_at);
