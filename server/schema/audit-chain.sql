-- The chain over all events: a table of its own, to which a sealer appends in batches (decision 0038). Who changes, adds or
-- removes an event breaks it.

create table audit_chain (
  seq bigint primary key,
  family text not null,
  event_id uuid not null,
  created_at timestamptz not null,
  digest bytea not null,
  previous_hash bytea not null,
  hash bytea not null
) with (fillfactor = 100);
comment on table audit_chain is 'Sealed events in order. It stays when an event is removed because of its age, so that the chain stays whole.';
comment on column audit_chain.digest is 'Of the event''s content.';
-- An event's place in the chain, for exports of a selection and for removing events because of their age.
create index audit_chain_by_event on audit_chain (event_id);

create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash bytea not null
);
comment on table audit_head is 'The last row of the chain.';
insert into audit_head (seq, hash) values (0, sha256('vestibule audit chain'));
create trigger audit_head_stays before delete on audit_head for each row execute function refuse_change();
create trigger audit_head_is_never_emptied before truncate on audit_head for each statement execute function refuse_change();

-- Prefixed with its length, so that no two different rows read the same. `audit verify` builds the same bytes by itself.
create function audit_field(field text) returns text language sql immutable parallel safe return
  coalesce(octet_length(field)::text || ':' || field, '-');

create function seal_audit_events(most integer, waits boolean default false) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
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
        || audit_field(request_id) || ',' || audit_field(microseconds) || ','
        || audit_field(salt::text), 'UTF8')) as digest
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
comment on function seal_audit_events is
  'Moves events that are committed to their months and appends them to the chain; returns how many. While another process does, it waits a second for that one, or does nothing.';

create table audit_checks (
  checked_at timestamptz primary key,
  after_seq bigint not null,
  seq bigint not null,
  fault text,
  signed text,
  constraint intact_checks_are_signed check ((signed is null) = (fault is not null))
);
comment on table audit_checks is 'When the chain was verified, from which row to which, and what was wrong with it.';
comment on column audit_checks.after_seq is 'The row that an earlier check ended with; 0: this one began with the log.';
comment on column audit_checks.signed is 'The last row and its hash, signed by the portal: the next check goes on from there.';
create index audit_checks_of_everything on audit_checks (checked_at) where after_seq = 0;

-- Where events go as they are sealed. A place in the chain for each is all that is kept: a dead endpoint delays no other.
create table audit_streams (
  stream_id uuid primary key,
  kind text not null check (kind in ('webhook', 'syslog', 'stdout')),
  url text,
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  delivered_seq bigint not null,
  last_delivered_at timestamptz,
  next_try_at timestamptz not null,
  failures integer not null default 0,
  last_problem text,
  stopped text check (stopped in ('gone', 'failed')),
  created_at timestamptz not null default now(),
  answers_for uuid references users on delete set null,
  constraint webhook_has_address check ((kind = 'webhook') = (url is not null and secret_sealed is not null))
);
comment on column audit_streams.delivered_seq is 'All events up to this number have been delivered.';
comment on column audit_streams.next_try_at is 'Also the lease of the process that is delivering.';
comment on column audit_streams.failures is 'Attempts in a row that failed.';
comment on column audit_streams.answers_for is
  'Who has read its secret: a webhook gets events while they are a super user, and waits otherwise. Null: the operator''s settings.';
create index audit_streams_by_answering on audit_streams (answers_for) where answers_for is not null;
create unique index audit_stream_of_operator on audit_streams (kind) where kind <> 'webhook';
create unique index audit_stream_to_address on audit_streams (url);
