-- The list of the audit log is found in a narrow table beside the events (decision 0057): one row for everybody's list and one
-- for that of each organisation, with numbers in place of names and labels. Five indexes hold all that a filter or a sort needs.

-- No batch is under way while the tables change. Changes go on; their events wait for their place until this is done.
select from audit_head for update;

create table audit_event_names (
  name_id smallint generated always as identity primary key,
  name text collate "C" not null unique
);
comment on table audit_event_names is 'The names of all sealed events.';

create table audit_parties (
  party_id integer generated always as identity primary key,
  thing_id text collate "C" not null,
  label text collate "C" not null,
  erased integer not null default 0,
  search text collate "C" not null generated always as (folded(label)) stored
);
comment on table audit_parties is
  'Who and what sealed events name: the id and the beginning of the label, each empty where the event has none. A label is here once for each thing that has it.';
comment on column audit_parties.erased is 'The party itself where the label is a pseudonym: new events get another party. Otherwise 0.';
create unique index audit_parties_by_thing on audit_parties (thing_id, label, erased);
create index audit_parties_by_label on audit_parties (label, party_id);
create index audit_parties_by_grams on audit_parties using gin (search_grams(search)) with (fastupdate = off);

create table audit_index (
  scope uuid not null,
  created_at timestamptz not null,
  seq bigint not null,
  name_id smallint not null,
  actor integer not null,
  target integer not null
);
comment on table audit_index is 'Where the list of the audit log finds its events. Made from them, and no part of the chain.';
comment on column audit_index.scope is 'An organisation of the event; the nil UUID in the row of everybody, which each event has.';
comment on column audit_index.seq is 'The place in audit_chain.';
comment on column audit_index.actor is 'A row of audit_parties, as is the target.';


create function rebuild_audit_index() returns void language plpgsql as $$
begin
  perform from audit_head for update;
  delete from audit_index;
  insert into audit_event_names (name)
    select distinct name from audit_events_sealed e where not exists (select from audit_event_names n where n.name = e.name);
  insert into audit_parties (thing_id, label)
    select thing_id, label from (
      select coalesce(actor_id::text, '') collate "C" as thing_id, coalesce(left(actor, 300), '') collate "C" as label
      from audit_events_sealed group by 1, 2
      union all
      select coalesce(target_id, '') collate "C", coalesce(left(target, 300), '') collate "C" from audit_events_sealed group by 1, 2
    ) as sides group by 1, 2
    on conflict do nothing;
  insert into audit_index (scope, created_at, seq, name_id, actor, target)
    select scope, c.created_at, c.seq, n.name_id, a.party_id, t.party_id
    from audit_chain c
      join audit_events_sealed e on e.id = c.event_id and e.created_at = c.created_at
      join audit_event_names n on n.name = e.name
      join audit_parties a on a.thing_id = coalesce(e.actor_id::text, '') and a.label = coalesce(left(e.actor, 300), '') and a.erased = 0
      join audit_parties t on t.thing_id = coalesce(e.target_id, '') and t.label = coalesce(left(e.target, 300), '') and t.erased = 0,
      lateral (select distinct unnest('00000000-0000-0000-0000-000000000000'::uuid || e.organization_ids) as scope) as scopes;
end $$;
comment on function rebuild_audit_index is 'Makes audit_index again from the events; for the owner of the tables.';
select rebuild_audit_index();
analyze audit_parties;
create index audit_index_by_time on audit_index (scope, created_at, seq) include (name_id, actor, target);
create index audit_index_by_name on audit_index (scope, name_id, created_at, seq) include (actor, target);
-- Who signs in is actor and target.
create index audit_index_by_self on audit_index (scope, actor, created_at, seq) include (name_id, target) where (actor = target) is true;
create index audit_index_by_actor on audit_index (scope, actor, created_at, seq) include (name_id, target) where actor <> target;
create index audit_index_by_target on audit_index (scope, target, created_at, seq) include (name_id, actor) where actor <> target;
analyze audit_index;

drop index audit_events_by_time;
drop index audit_events_by_organization;
drop index audit_events_by_name;
drop index audit_events_by_actor;
drop index audit_events_by_target;
drop index audit_events_by_target_id;

-- For the version before, while it still serves: it searches the labels, and tidies them at night.
drop table audit_labels;
create view audit_labels as select label, search from audit_parties;
grant select, insert, delete on audit_labels to public;
create rule audit_labels_are_made_elsewhere as on insert to audit_labels do instead nothing;
create rule audit_labels_are_deleted_elsewhere as on delete to audit_labels do instead nothing;

create function audit_party(thing text, named text) returns integer language plpgsql as $$
declare
  known integer;
begin
  select party_id into known from audit_parties where thing_id = thing and label = named and erased = 0;
  if known is null then
    insert into audit_parties (thing_id, label) values (thing, named) returning party_id into known;
  end if;
  return known;
end $$;

create function audit_event_name(named text) returns smallint language plpgsql as $$
declare
  known smallint;
begin
  select name_id into known from audit_event_names where name = named;
  if known is null then
    insert into audit_event_names (name) values (named) returning name_id into known;
  end if;
  return known;
end $$;

drop function seal_audit_events(integer);
create function seal_audit_events(most integer, waits boolean default false) returns integer
  language plpgsql security definer as $$
declare
  head audit_head;
  first_seq bigint;
  event record;
  counts boolean := false;
  place uuid;
  scopes uuid[];
  times timestamptz[];
  seqs bigint[];
  names smallint[];
  actors integer[];
  targets integer[];
begin
  if not exists (select from audit_events_new) then return 0; end if;
  if waits then
    begin
      perform set_config('lock_timeout', '1s', true);
      select * into head from audit_head for update;
      perform set_config('lock_timeout', '0', true);
    exception when lock_not_available then return 0;
    end;
  else
    select * into head from audit_head for update skip locked;
    if not found then return 0; end if;
  end if;
  first_seq := head.seq + 1;
  perform set_config('vestibule.sealing', 'on', true);
  for event in
    with due as (
      select ctid from audit_events_new order by queued_at, id limit most
    ), taken as (
      delete from audit_events_new n using due where n.ctid = due.ctid returning n.*
    ), kept as (
      insert into audit_events_sealed (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id,
          created_at, salt)
        select id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at, salt from taken
    )
    select id, name, created_at, organization_ids, actor_id, actor, target_id, target, audit_family(name, target_id) as family, microseconds,
      (select name_id from audit_event_names n where n.name = taken.name) as name_id,
      (select party_id from audit_parties where thing_id = coalesce(taken.actor_id::text, '')
        and label = coalesce(left(taken.actor, 300), '') and erased = 0) as actor_party,
      (select party_id from audit_parties where thing_id = coalesce(taken.target_id, '')
        and label = coalesce(left(taken.target, 300), '') and erased = 0) as target_party,
      sha256(convert_to(audit_field(id::text) || ',' || audit_field(name) || ',' || audit_field(actor_id::text) || ','
        || audit_field(actor) || ',' || audit_field(target_id) || ',' || audit_field(target) || ','
        || audit_field(array_to_string(organization_ids, ' ')) || ',' || audit_field(changes::text) || ','
        || audit_field(request_id) || ',' || audit_field(microseconds)
        || case when salt is null then '' else ',' || audit_field(salt::text) end, 'UTF8')) as digest
    from taken, lateral (select (extract(epoch from created_at) * 1000000)::bigint::text as microseconds) as moment
    order by queued_at, id
  loop
    head.seq := head.seq + 1;
    counts := counts or event.name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization');
    insert into audit_chain (seq, family, event_id, created_at, digest, previous_hash, hash)
      values (head.seq, event.family, event.id, event.created_at, event.digest, head.hash,
        sha256(head.hash || convert_to(audit_field(head.seq::text) || ',' || audit_field(event.family) || ','
          || audit_field(event.microseconds) || ',' || audit_field(encode(event.digest, 'hex')), 'UTF8')))
      returning hash into head.hash;
    -- What is new in this batch is not seen by its query.
    event.name_id := coalesce(event.name_id, audit_event_name(event.name));
    event.actor_party := coalesce(event.actor_party, audit_party(coalesce(event.actor_id::text, ''), coalesce(left(event.actor, 300), '')));
    event.target_party := coalesce(event.target_party, audit_party(coalesce(event.target_id, ''), coalesce(left(event.target, 300), '')));
    foreach place in array '00000000-0000-0000-0000-000000000000'::uuid
      || array_remove(event.organization_ids, '00000000-0000-0000-0000-000000000000') loop
      scopes := scopes || place;
      times := times || event.created_at;
      seqs := seqs || head.seq;
      names := names || event.name_id;
      actors := actors || event.actor_party;
      targets := targets || event.target_party;
    end loop;
  end loop;
  perform set_config('vestibule.sealing', 'off', true);
  update audit_head set seq = head.seq, hash = head.hash;
  insert into audit_index (scope, created_at, seq, name_id, actor, target)
    select * from unnest(scopes, times, seqs, names, actors, targets);
  if counts then perform count_audit_events(first_seq); end if;
  return head.seq - first_seq + 1;
end $$;
comment on function seal_audit_events is
  'Moves events that are committed to their months and appends them to the chain; returns how many. While another process does, it waits a second for that one, or does nothing.';

create or replace function drop_audit_months() returns void language plpgsql security definer as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
  oldest timestamptz := least(checkpoint.change_before, checkpoint.sign_in_before, checkpoint.unknown_sign_in_before);
  part name;
  month timestamp;
  events bigint;
begin
  for part, month in
    select relname, to_date(right(relname, 7), 'YYYY_MM')::timestamp from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit_events_sealed'::regclass and relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$'
      and to_date(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC' + interval '1 month' <= oldest
  loop
    execute format('select count(*) from %I', part) into events;
    execute format('drop table %I', part);
    delete from audit_index
      where created_at >= month at time zone 'UTC' and created_at < (month + interval '1 month') at time zone 'UTC';
    update audit_checkpoints set removed = removed + events where number = checkpoint.number;
  end loop;
end $$;

create or replace function remove_audit_events(most integer) returns integer language plpgsql security definer as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
  events integer;
  places integer;
begin
  -- The hash of an event without a digest covers the event itself, so that it goes only with everything before it.
  with old as (
    (select id, created_at, organization_ids from audit_events
      where name = 'loginFailure' and target_id is null and created_at < checkpoint.unknown_sign_in_before)
    union all
    (select id, created_at, organization_ids from audit_events
      where name in ('loginSuccess', 'loginFailure', 'logout') and created_at < checkpoint.sign_in_before
        and audit_family(name, target_id) = 'signIn')
    union all
    (select id, created_at, organization_ids from audit_events
      where created_at < checkpoint.change_before and audit_family(name, target_id) = 'change')
  ), gone as (
    select id, old.created_at, seq, organization_ids
    from old join audit_chain c on c.event_id = id and c.created_at = old.created_at
    where c.digest is not null or c.seq <= checkpoint.start_seq limit most
  ), not_found as (
    delete from audit_index i
    using gone, unnest('00000000-0000-0000-0000-000000000000'::uuid || organization_ids) as place
    where i.scope = place and i.created_at = gone.created_at and i.seq = gone.seq
  )
  delete from audit_events e using gone where e.id = gone.id and e.created_at = gone.created_at;
  get diagnostics events = row_count;
  update audit_checkpoints set removed = removed + events where number = checkpoint.number and events > 0;
  delete from audit_chain where seq in (
    select seq from audit_chain where seq <= checkpoint.start_seq
      and not exists (select from audit_events e where e.id = event_id and e.created_at = audit_chain.created_at)
    order by seq limit most);
  get diagnostics places = row_count;
  return greatest(events, places);
end $$;

create function forget_audit_parties() returns void language sql security definer as $$
  -- The sealer must not give an event a party that is being deleted.
  select from audit_head for update;
  delete from audit_parties p
  where not exists (select from audit_index where scope = '00000000-0000-0000-0000-000000000000' and actor = party_id and (actor = target) is true)
    and not exists (select from audit_index where scope = '00000000-0000-0000-0000-000000000000' and actor = party_id and actor <> target)
    and not exists (select from audit_index where scope = '00000000-0000-0000-0000-000000000000' and target = party_id and actor <> target)
$$;
comment on function forget_audit_parties is 'Deletes who and what no event names any longer.';

create or replace function former_addresses(subject text) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct address), '{}') from (
    select label as address from audit_parties where thing_id = subject and erased = 0
    union all select email from former_names where account_id::text = subject) known
  -- An address that someone has now is theirs.
  where address like '%_@_%' and not exists (select from users u where u.email = address)
$$;

create or replace function erase_from_audit_events(subject text, pseudonym text) returns setof uuid
  language plpgsql security definer as $$
declare
  known text[] := former_addresses(subject);
  addresses text;
begin
  if pseudonym !~ '^erased:[0-9a-f]{8}$' or exists (select from users where account_id::text = subject)
    or exists (select from invitations where invitation_id::text = subject) then
    raise exception 'only who was deleted can be erased' using errcode = 'insufficient_privilege';
  end if;
  if exists (
    select from audit_events_new where target_id = subject or actor_id::text = subject
  ) then
    raise exception 'events wait for their place in the chain' using errcode = 'object_not_in_prerequisite_state';
  end if;
  select '(?<![[:alnum:].+_-])(' || string_agg(regexp_replace(address, '([.+*?^$(){}|\\[\]])', '\\\1', 'g'), '|')
    || ')(?![[:alnum:]-])' into addresses from unnest(known) as listed (address);
  return query
    with found as (
      select e.*, actor_id::text is not distinct from subject as is_actor,
        target_id is not distinct from subject or (target = any (known)
          and not exists (select from users u where u.account_id::text = target_id)
          and not exists (select from invitations i where i.invitation_id::text = target_id)) as is_target
      from audit_events e
      where target_id = subject or actor_id::text = subject or target = any (known) or actor = any (known)
        or changes::text ~* addresses
    ), erased as (
      select id, created_at, changes as before,
        case when is_actor or (actor = any (known) and not exists (select from users u where u.account_id = actor_id))
          then pseudonym else actor end as actor,
        case when is_target then pseudonym else target end as target,
        without_person(changes, pseudonym, is_target, is_actor, addresses) as changes
      from found
    )
    update audit_events e set actor = n.actor, target = n.target, changes = n.changes, salt = null
    from erased n
    where e.id = n.id and e.created_at = n.created_at
      and (e.actor, e.target, e.changes) is distinct from (n.actor, n.target, n.changes)
    returning e.id;
  delete from former_names where account_id::text = subject;
  update audit_parties p set label = pseudonym, erased = party_id
  where thing_id = subject or (label = any (known)
    and not exists (select from users u where u.account_id::text = thing_id)
    and not exists (select from invitations i where i.invitation_id::text = thing_id));
end $$;

do $$
declare
  signature text;
begin
  foreach signature in array array['seal_audit_events(integer, boolean)', 'drop_audit_months()', 'remove_audit_events(integer)',
    'forget_audit_parties()', 'erase_from_audit_events(text, text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;
