-- An event is inserted into a partition without indexes and triggers, and the sealer moves it to its month when it gives it its
-- place in the chain (decision 0053). The insert, which a change waits for, costs a fraction of what it did.

-- No batch is under way, and no change, while the tables change; every event has its place.
do $$
begin
  perform from audit_head for update;
  lock table audit_events in access exclusive mode;
  while seal_audit_events(10000) > 0 loop end loop;
end $$;

drop trigger keep_audit_labels on audit_events;
drop trigger queue_audit_event on audit_events;
drop trigger audit_events_never_change on audit_events;
drop trigger audit_events_are_kept on audit_events;
drop function keep_audit_labels, queue_audit_event;
drop table audit_unsealed;

alter table audit_events rename to audit_events_sealed;
alter table audit_events_sealed add column sealed boolean not null default true, add column queued_at timestamptz;
create table audit_events (like audit_events_sealed including defaults) partition by list (sealed);
alter table audit_events alter column sealed set default false, alter column queued_at set default clock_timestamp();
create table audit_events_new (like audit_events including defaults)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table audit_events attach partition audit_events_sealed for values in (true);
alter table audit_events attach partition audit_events_new for values in (false);
-- Who could use the table before can use it now: the version before serves until the privileges are granted again.
do $$
declare
  role record;
begin
  for role in
    select distinct grantee from pg_class, aclexplode(relacl) where oid = 'audit_events_sealed'::regclass and grantee <> relowner
  loop
    execute format('grant select, insert on audit_events to %s', role.grantee::regrole);
  end loop;
end $$;
comment on table audit_events_new is 'Events that are not in the chain yet. Read as a whole, so it has no index.';
comment on column audit_events.actor is 'The label at the time: it stays when the person is deleted, until the person is erased.';
comment on column audit_events.organization_ids is 'Organisations of actor and target at the time: their admins may read the event.';
comment on column audit_events.salt is 'Random, part of the digest, and gone with what was erased. Null also for events of before migration 0047.';
comment on column audit_events.sealed is 'Whether the event has its place in the chain.';
comment on column audit_events.queued_at is 'When it was written, by the clock of the database; null once it is sealed.';

create function refuse_change_but_sealing() returns trigger language plpgsql as $$
begin
  if current_setting('vestibule.sealing', true) = 'on' then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_never_change before update on audit_events
  for each row execute function refuse_change_but_erasure();
create trigger audit_events_are_kept before delete on audit_events_sealed
  for each row execute function refuse_early_removal('event');
create trigger audit_events_are_sealed before delete on audit_events_new
  for each row execute function refuse_change_but_sealing();
create trigger audit_events_are_never_emptied before truncate on audit_events_new
  for each statement execute function refuse_change();

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
      execute format('create table %I (like audit_events_sealed including defaults, primary key (id))', part);
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

create or replace function count_audit_events(first_seq bigint) returns void language plpgsql as $$
begin
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
    where c.seq >= first_seq and name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization')
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
end $$;

comment on table audit_labels is 'The beginnings of all labels in sealed events.';

create or replace function seal_audit_events(most integer) returns integer language plpgsql security definer as $$
declare
  head audit_head;
  first_seq bigint;
  event record;
  counts boolean := false;
begin
  if not exists (select from audit_events_new) then return 0; end if;
  select * into head from audit_head for update skip locked;
  if not found then return 0; end if;
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
    ), named as (
      insert into audit_labels (label)
        select distinct left(label, 300) from taken, unnest(array[actor, target]) as labels (label)
        where label is not null and not exists (select from audit_labels known where known.label = left(labels.label, 300))
    )
    select id, name, created_at, audit_family(name, target_id) as family, microseconds,
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
  end loop;
  perform set_config('vestibule.sealing', 'off', true);
  update audit_head set seq = head.seq, hash = head.hash;
  if counts then perform count_audit_events(first_seq); end if;
  return head.seq - first_seq + 1;
end $$;
comment on function seal_audit_events is
  'Moves events that are committed to their months and appends them to the chain; returns how many. Does nothing while another process does.';

create function erase_from_audit_events(subject text, pseudonym text) returns setof uuid
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
  delete from audit_labels where label = any (select left(address, 300) from unnest(known) as listed (address))
    and not exists (select from audit_events where left(actor, 300) = label)
    and not exists (select from audit_events where left(target, 300) = label);
  insert into audit_labels (label) select pseudonym
    where not exists (select from audit_labels where label = pseudonym);
end $$;

comment on function erase_from_audit_events is
  'Puts a pseudonym in the place of someone who was deleted. Without a signed list of the returned events the chain is broken.';

-- For the version before, while it still serves.
create view audit_unsealed as select id as event_id, created_at, queued_at from audit_events_new;
grant select on audit_unsealed to public;

do $$
declare
  signature text;
begin
  foreach signature in array array['seal_audit_events(integer)', 'add_audit_months()', 'drop_audit_months()',
    'erase_from_audit_events(text, text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
  end loop;
end $$;
