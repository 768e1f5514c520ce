-- An event is written in the transaction of its change without waiting for others. The chain over all events is a table of
-- its own, and a sealer appends to it in batches (decision 0038). Events lie in partitions by month.

create function audit_family(name text, target_id text) returns text language sql immutable parallel safe return
  case
    when name = 'loginFailure' and target_id is null then 'unknownSignIn'
    when name in ('loginSuccess', 'loginFailure', 'logout') then 'signIn'
    else 'change'
  end;
comment on function audit_family is 'Decides how long an event is kept. A failed sign-in without a target is that of an unknown address.';

-- Prefixed with its length, so that no two different rows read the same. `audit verify` builds the same bytes by itself.
create function audit_field(field text) returns text language sql immutable parallel safe return
  coalesce(octet_length(field)::text || ':' || field, '-');

create table audit_chain (
  seq bigint primary key,
  family text not null,
  event_id uuid not null,
  created_at timestamptz not null,
  digest bytea,
  previous_hash bytea not null,
  hash bytea not null
) with (fillfactor = 100);
comment on table audit_chain is 'Sealed events in order. It stays when an event is removed because of its age, so that the chain stays whole.';
comment on column audit_chain.digest is 'Of the event''s content. Null for events of before migration 0027, whose hash covers the content itself.';

create table audit_unsealed (
  event_id uuid not null,
  created_at timestamptz not null,
  queued_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table audit_unsealed is 'Events that are not in the chain yet. Read as a whole, so it has no index.';

-- Most events of the past are copied while the portal goes on writing; only those that came since are copied under a lock.
insert into audit_chain (seq, family, event_id, created_at, previous_hash, hash)
  select seq, audit_family(name, target_id), id, created_at, previous_hash, hash from audit_events order by seq;
lock table audit_events in access exclusive mode;
insert into audit_chain (seq, family, event_id, created_at, previous_hash, hash)
  select seq, audit_family(name, target_id), id, created_at, previous_hash, hash from audit_events
  where seq > (select coalesce(max(seq), 0) from audit_chain) order by seq;

drop trigger chain_audit_event on audit_events;
drop trigger count_audit_event on audit_events;
drop trigger keep_audit_labels on audit_events;
drop trigger audit_events_are_append_only on audit_events;
drop function chain_audit_event, count_audit_event, audit_event_bytes;

-- What there is becomes one partition. Its columns of the chain are in the table of the chain now.
alter table audit_events rename to audit_events_earlier;
alter table audit_events_earlier drop column seq, drop column previous_hash, drop column hash;
do $$
declare
  index name;
begin
  for index in select indexname from pg_indexes where schemaname = current_schema() and tablename = 'audit_events_earlier' loop
    execute format('alter index %I rename to %I', index, replace(index, 'audit_events', 'audit_events_earlier'));
  end loop;
end $$;
comment on column audit_events_earlier.actor is null;
comment on column audit_events_earlier.organization_ids is null;

create table audit_events (like audit_events_earlier including defaults) partition by range (created_at);
comment on column audit_events.actor is 'The label at the time: it stays when the person is erased.';
comment on column audit_events.organization_ids is 'Organisations of actor and target at the time: their admins may read the event.';
create index audit_events_by_time on audit_events (created_at, id);
create index audit_events_by_organization on audit_events using gin (organization_ids);
create index audit_events_by_name on audit_events (name, created_at desc, id desc);
create index audit_events_by_actor on audit_events (left(actor, 300), created_at desc, id desc);
create index audit_events_by_target on audit_events (left(target, 300), created_at desc, id desc);
create index audit_events_by_target_id on audit_events (target_id, created_at, id);
-- For what no other partition takes.
create table audit_events_other (like audit_events including defaults, primary key (id));
create trigger audit_events_are_never_emptied before truncate on audit_events_other
  for each statement execute function refuse_change();
alter table audit_events attach partition audit_events_other default;

create function add_audit_months() returns void language plpgsql security definer as $$
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
      execute format('create table %I (like audit_events including defaults, primary key (id))', part);
      execute format('create trigger audit_events_are_never_emptied before truncate on %I
        for each statement execute function refuse_change()', part);
      execute format('alter table audit_events attach partition %I for values from (%L) to (%L)', part,
        month || '+00', (month + interval '1 month') || '+00');
    exception
      -- The partition of what there was before reaches into this month, or the other one has events of it.
      when invalid_object_definition or check_violation then null;
    end;
  end loop;
end $$;
comment on function add_audit_months is 'Makes the partitions of this month and the next three.';

do $$
begin
  if exists (select from audit_events_earlier) then
    execute format('alter table audit_events attach partition audit_events_earlier for values from (minvalue) to (%L)',
      date_trunc('month', greatest(now(), (select max(created_at) from audit_events_earlier)) at time zone 'UTC')
        + interval '1 month' || '+00');
  else
    drop table audit_events_earlier;
  end if;
end $$;

create function queue_audit_event() returns trigger language plpgsql security definer as $$
begin
  insert into audit_unsealed (event_id, created_at) values (new.id, new.created_at);
  return null;
end $$;
create trigger keep_audit_labels after insert on audit_events for each row execute function keep_audit_labels();
create trigger queue_audit_event after insert on audit_events for each row execute function queue_audit_event();
create trigger audit_events_are_append_only before update or delete on audit_events
  for each row execute function refuse_change();
create trigger audit_events_are_never_emptied before truncate on audit_events
  for each statement execute function refuse_change();
create trigger audit_chain_is_append_only before update or delete on audit_chain
  for each row execute function refuse_change();
create trigger audit_chain_is_never_emptied before truncate on audit_chain
  for each statement execute function refuse_change();

create function seal_audit_events(most integer) returns integer language plpgsql security definer as $$
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
        || audit_field((extract(epoch from t.created_at) * 1000000)::bigint::text), 'UTF8')) as digest
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
comment on function seal_audit_events is 'Appends events that are committed to the chain, and returns how many. Does nothing while another process does.';

create function count_audit_events(first_seq bigint) returns void language plpgsql as $$
begin
  with counted as materialized (
    select (e.created_at at time zone 'Europe/Stockholm')::date as day, place, name, actor_id,
      case name when 'loginSuccess'
        then coalesce(jsonb_path_query_first(changes, '$[*] ? (@.property == "method")') ->> 'newValue', 'password')
        else '' end as method
    from audit_chain c join audit_events e on e.id = c.event_id and e.created_at = c.created_at,
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
      method, count(*)
    from counted group by place, day, figure, method
    union all
    select organization_id, day, 'activePerson', '', count(*) from first_today group by organization_id, day
    on conflict on constraint daily_figure_once do update set count = known.count + excluded.count;
end $$;
comment on table daily_figures is 'Kept by seal_audit_events. Days are those of Sweden.';

-- Their own schema, whatever the session's is.
do $$
begin
  execute format('alter function seal_audit_events(integer) set search_path = %I, pg_temp', current_schema());
  execute format('alter function queue_audit_event() set search_path = %I, pg_temp', current_schema());
  execute format('alter function add_audit_months() set search_path = %I, pg_temp', current_schema());
end $$;
revoke execute on function count_audit_events from public;
select add_audit_months();
