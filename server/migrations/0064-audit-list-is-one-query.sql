-- The list of the audit log is one query of the events themselves (decision 0074): the tables beside them go, and the months get
-- ordinary indexes. Text is found by pg_trgm, a trusted extension of PostgreSQL: who owns the database may create it.

create extension if not exists pg_trgm;

drop table audit_index cascade;
drop view audit_labels, audit_unsealed;
drop table audit_parties, audit_event_names;
drop function rebuild_audit_index, forget_audit_parties, audit_party, audit_event_name;
drop index directory_by_names_beyond;
drop function names_beyond;

-- Names sort as they are written, and an index serves both the filter and the sort.
alter table audit_events alter column name type text collate "C";
create index audit_events_by_time on audit_events_sealed (created_at, id);
create index audit_events_by_name on audit_events_sealed (name);
-- Folded once, when the event is written: to fold a label takes longer than to find it.
alter table audit_events
  add column actor_search text collate "C" generated always as (folded(coalesce(actor, ''))) stored,
  add column target_search text collate "C" generated always as (folded(coalesce(target, ''))) stored;
comment on column audit_events.actor_search is 'The folded label, empty where there is none. No part of what is hashed.';
-- The beginnings of labels: a btree holds no entry of more than 2,700 bytes.
create index audit_events_by_actor on audit_events_sealed (left(actor_search, 300));
create index audit_events_by_target on audit_events_sealed (left(target_search, 300));
create index audit_events_by_actor_id on audit_events_sealed (actor_id);
create index audit_events_by_target_id on audit_events_sealed (target_id);
create index audit_events_by_organization on audit_events_sealed using gin (organization_ids) with (fastupdate = off);
create index audit_events_by_text on audit_events_sealed
  using gin ((actor_search || chr(10) || target_search) gin_trgm_ops) with (fastupdate = off);

create or replace function add_audit_months() returns void language plpgsql security definer as $$
declare
  month timestamp;
  part text;
begin
  for month in
    select generate_series(date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '3 months',
      interval '1 month')
  loop
    part := 'audit_events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(part) is not null;
    begin
      execute format('create table %I (like audit_events_sealed including defaults including generated, primary key (id))', part);
      execute format('create trigger audit_events_are_never_emptied before truncate on %I
        for each statement execute function refuse_change()', part);
      execute format('alter table audit_events_sealed attach partition %I for values from (%L) to (%L)', part,
        month || '+00', (month + interval '1 month') || '+00');
    exception
      -- The partition of what there was before reaches into this month, or the other one has events of it.
      when invalid_object_definition or check_violation then null;
    end;
  end loop;
end $$;

-- The sealer does the chain alone.
create or replace function seal_audit_events(most integer, waits boolean default false) returns integer
  language plpgsql security definer as $$
declare
  head audit_head;
  first_seq bigint;
  event record;
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
    select id, created_at, audit_family(name, target_id) as family, microseconds,
      sha256(convert_to(audit_field(id::text) || ',' || audit_field(name) || ',' || audit_field(actor_id::text) || ','
        || audit_field(actor) || ',' || audit_field(target_id) || ',' || audit_field(target) || ','
        || audit_field(array_to_string(organization_ids, ' ')) || ',' || audit_field(changes::text) || ','
        || audit_field(request_id) || ',' || audit_field(microseconds)
        || case when salt is null then '' else ',' || audit_field(salt::text) end, 'UTF8')) as digest
    from taken, lateral (select (extract(epoch from created_at) * 1000000)::bigint::text as microseconds) as moment
    order by queued_at, id
  loop
    head.seq := head.seq + 1;
    insert into audit_chain (seq, family, event_id, created_at, digest, previous_hash, hash)
      values (head.seq, event.family, event.id, event.created_at, event.digest, head.hash,
        sha256(head.hash || convert_to(audit_field(head.seq::text) || ',' || audit_field(event.family) || ','
          || audit_field(event.microseconds) || ',' || audit_field(encode(event.digest, 'hex')), 'UTF8')))
      returning hash into head.hash;
  end loop;
  perform set_config('vestibule.sealing', 'off', true);
  update audit_head set seq = head.seq, hash = head.hash;
  return head.seq - first_seq + 1;
end $$;

-- The day counts follow the chain in a transaction of their own.
create table daily_figures_until (
  only_row boolean primary key default true check (only_row),
  seq bigint not null
);
comment on table daily_figures_until is 'The last place of the chain that daily_figures and daily_people count.';
insert into daily_figures_until (seq) select seq from audit_head;

drop function count_audit_events(bigint);
create function count_sealed_events(most integer) returns integer language plpgsql security definer as $$
declare
  counted_before bigint;
  counted_now bigint;
begin
  select u.seq, least(u.seq + most, head.seq) into counted_before, counted_now
    from daily_figures_until u, audit_head head where head.seq > u.seq and most > 0 for update of u skip locked;
  if not found then return 0; end if;
  with counted as materialized (
    select (e.created_at at time zone 'Europe/Stockholm')::date as day, place, name, actor_id,
      case name when 'loginSuccess'
        then coalesce(jsonb_path_query_first(changes, '$[*] ? (@.property == "method")') ->> 'newValue', 'password')
        else '' end as method,
      case name when 'loginFailure'
        then coalesce((jsonb_path_query_first(changes, '$[*] ? (@.property == "count")') ->> 'newValue')::integer, 1)
        else 1 end as times
    from audit_chain c join audit_events_sealed e on e.id = c.event_id and e.created_at = c.created_at,
      unnest(array[null::uuid] || organization_ids) as place
    where c.seq > counted_before and c.seq <= counted_now and name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization')
  ), first_today as (
    insert into daily_people (day, organization_id, account_id)
      select distinct day, place, actor_id from counted where name = 'loginSuccess' and actor_id is not null
      on conflict do nothing
      returning day, organization_id
  )
  insert into daily_figures as known (organization_id, day, figure, method, count)
    select place, day,
      case name when 'loginSuccess' then 'signIn' when 'loginFailure' then 'failedSignIn' else 'acceptedInvitation' end as figure,
      method, sum(times)
    from counted group by place, day, figure, method
    union all
    select organization_id, day, 'activePerson', '', count(*) from first_today group by organization_id, day
    on conflict on constraint daily_figure_once do update set count = known.count + excluded.count;
  update daily_figures_until set seq = counted_now;
  return counted_now - counted_before;
end $$;
comment on function count_sealed_events is
  'Adds the next places of the chain to the figures of their days; returns how many. While another process does, it does nothing.';
comment on table daily_figures is 'Kept by count_sealed_events. Days are those of Sweden.';

create or replace function drop_audit_months() returns void language plpgsql security definer as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
  oldest timestamptz := least(checkpoint.change_before, checkpoint.sign_in_before, checkpoint.unknown_sign_in_before);
  part name;
  events bigint;
begin
  for part in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit_events_sealed'::regclass and relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$'
      and to_date(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC' + interval '1 month' <= oldest
  loop
    execute format('select count(*) from %I', part) into events;
    execute format('drop table %I', part);
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
    (select id, created_at from audit_events
      where name = 'loginFailure' and target_id is null and created_at < checkpoint.unknown_sign_in_before)
    union all
    (select id, created_at from audit_events
      where name in ('loginSuccess', 'loginFailure', 'logout') and created_at < checkpoint.sign_in_before
        and audit_family(name, target_id) = 'signIn')
    union all
    (select id, created_at from audit_events
      where created_at < checkpoint.change_before and audit_family(name, target_id) = 'change')
  ), gone as (
    select id, old.created_at from old join audit_chain c on c.event_id = id and c.created_at = old.created_at
    where c.digest is not null or c.seq <= checkpoint.start_seq limit most
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

create or replace function former_addresses(subject text) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct address), '{}') from (
    select target as address from audit_events where target_id = subject
    union all select actor from audit_events where actor_id::text = subject
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
end $$;

do $$
declare
  signature text;
begin
  foreach signature in array array['seal_audit_events(integer, boolean)', 'count_sealed_events(integer)', 'add_audit_months()', 'drop_audit_months()',
    'remove_audit_events(integer)', 'erase_from_audit_events(text, text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;
