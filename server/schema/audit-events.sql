-- The events of the audit log. A change inserts its event into a partition without indexes and triggers of its own, and the
-- sealer moves it to its month when it gives it its place in the chain (decision 0074; audit-chain.sql).

create function audit_family(name text, target_id text) returns text language sql immutable parallel safe return
  case
    when name = 'loginFailure' and target_id is null then 'unknownSignIn'
    when name in ('loginSuccess', 'loginFailure', 'logout') then 'signIn'
    else 'change'
  end;
comment on function audit_family is 'Decides how long an event is kept. A failed sign-in without a target is that of an unknown address.';

create table audit_events (
  id uuid not null,
  name text collate "C" not null,
  actor_id uuid,
  actor text,
  target_id text,
  target text,
  organization_ids uuid[] not null default '{}',
  changes jsonb not null default '[]',
  request_id text,
  created_at timestamptz not null,
  salt uuid default gen_random_uuid(),
  sealed boolean not null default false,
  queued_at timestamptz default clock_timestamp(),
  -- Folded once, when the event is written: to fold a label takes longer than to find it.
  actor_search text collate "C" generated always as (folded(coalesce(actor, ''))) stored,
  target_search text collate "C" generated always as (folded(coalesce(target, ''))) stored
) partition by list (sealed);
comment on column audit_events.actor is 'The label at the time: it stays when the person is deleted, until the person is erased.';
comment on column audit_events.organization_ids is 'Organisations of actor and target at the time: their admins may read the event.';
comment on column audit_events.salt is 'Random, part of the digest, and gone with what was erased.';
comment on column audit_events.sealed is 'Whether the event has its place in the chain.';
comment on column audit_events.queued_at is 'When it was written, by the clock of the database; null once it is sealed.';
comment on column audit_events.actor_search is 'The folded label, empty where there is none. No part of what is hashed.';

create table audit_events_new (like audit_events including defaults including generated)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table audit_events_new is 'Events that are not in the chain yet. Read as a whole, so it has no index.';
alter table audit_events attach partition audit_events_new for values in (false);

create table audit_events_sealed (like audit_events including defaults including generated) partition by range (created_at);
comment on table audit_events_sealed is 'Events in the chain, in partitions by month.';
alter table audit_events_sealed alter column sealed set default true, alter column queued_at drop default;
alter table audit_events attach partition audit_events_sealed for values in (true);
create index audit_events_by_time on audit_events_sealed (created_at, id);
-- Names sort as they are written, and an index serves both the filter and the sort.
create index audit_events_by_name on audit_events_sealed (name);
-- The beginnings of labels: a btree holds no entry of more than 2,700 bytes.
create index audit_events_by_actor on audit_events_sealed (left(actor_search, 300));
create index audit_events_by_target on audit_events_sealed (left(target_search, 300));
create index audit_events_by_actor_id on audit_events_sealed (actor_id);
create index audit_events_by_target_id on audit_events_sealed (target_id);
create index audit_events_by_organization on audit_events_sealed using gin (organization_ids) with (fastupdate = off);
-- pg_trgm splits words at an @: as a letter it stands in the trigrams, so that part of an address is found.
create index audit_events_by_text on audit_events_sealed
  using gin (replace(actor_search || chr(10) || target_search, '@', 'q') gin_trgm_ops) with (fastupdate = off);

-- For what no month takes.
create table audit_events_other (like audit_events_sealed including defaults including generated, primary key (id));
alter table audit_events_sealed attach partition audit_events_other default;

create function add_audit_months() returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
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
      -- The other partition has events of this month.
      when check_violation then null;
    end;
  end loop;
end $$;
comment on function add_audit_months is 'Makes the partitions of this month and the next three.';
select add_audit_months();
