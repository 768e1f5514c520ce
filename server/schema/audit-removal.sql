-- Old events are removed by family (decision 0041). What the serving role can remove, these functions decide.

create table audit_checkpoints (
  number bigint generated always as identity primary key,
  signed text not null,
  start_seq bigint not null,
  change_before timestamptz not null,
  sign_in_before timestamptz not null,
  unknown_sign_in_before timestamptz not null,
  removed bigint not null default 0,
  created_at timestamptz not null
);
comment on table audit_checkpoints is 'What may be missing from the log. The last one counts; the signature is over the same values and more.';
comment on column audit_checkpoints.start_seq is 'The last row that may be missing from the chain itself.';

create function kept_from(family text, checkpoint audit_checkpoints) returns timestamptz language sql immutable return
  case family
    when 'signIn' then checkpoint.sign_in_before
    when 'unknownSignIn' then checkpoint.unknown_sign_in_before
    else checkpoint.change_before
  end;

create function last_audit_checkpoint() returns audit_checkpoints language sql stable
  as 'select * from audit_checkpoints order by number desc limit 1';

-- Events and rows of the chain may be deleted where a checkpoint says so.
create function refuse_early_removal() returns trigger language plpgsql as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
begin
  if tg_argv[0] = 'event' then
    if old.created_at < kept_from(audit_family(old.name, old.target_id), checkpoint) then return old; end if;
  elsif old.seq <= checkpoint.start_seq then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_are_kept before delete on audit_events_sealed
  for each row execute function refuse_early_removal('event');
create trigger audit_chain_is_kept before delete on audit_chain
  for each row execute function refuse_early_removal('chain');
create trigger audit_chain_never_changes before update on audit_chain for each row execute function refuse_change();
create trigger audit_chain_is_never_emptied before truncate on audit_chain
  for each statement execute function refuse_change();

-- What waits for its place leaves by the sealer alone.
create function refuse_change_but_sealing() returns trigger language plpgsql as $$
begin
  if current_setting('vestibule.sealing', true) = 'on' then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_events_are_sealed before delete on audit_events_new
  for each row execute function refuse_change_but_sealing();
-- Each partition has this trigger: to truncate one calls none of its table.
create trigger audit_events_are_never_emptied before truncate on audit_events_new
  for each statement execute function refuse_change();
create trigger audit_events_are_never_emptied before truncate on audit_events_sealed
  for each statement execute function refuse_change();
create trigger audit_events_are_never_emptied before truncate on audit_events_other
  for each statement execute function refuse_change();

-- A process whose clock is ahead would remove early.
create function refuse_early_clock(at timestamptz) returns void language plpgsql as $$
begin
  if at > now() + interval '1 day' then
    raise exception 'nothing is removed from the audit log: the clock of this process is ahead of that of the database';
  end if;
end $$;

create function begin_audit_removal(signed text, start_seq bigint, change_before timestamptz, sign_in_before timestamptz,
  unknown_sign_in_before timestamptz, at timestamptz) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  known audit_checkpoints := last_audit_checkpoint();
  next audit_checkpoints;
begin
  perform refuse_early_clock(at);
  -- Whatever a setting or a compromised process says, nothing younger than this is removed.
  if change_before > now() - interval '6 months' or sign_in_before > now() - interval '3 months'
    or unknown_sign_in_before > now() - interval '1 month' then
    raise exception 'these audit events are too young to be removed' using errcode = 'insufficient_privilege';
  end if;
  if change_before < known.change_before or sign_in_before < known.sign_in_before
    or unknown_sign_in_before < known.unknown_sign_in_before or start_seq < known.start_seq then
    raise exception 'a checkpoint cannot bring removed audit events back';
  end if;
  next := (0, signed, start_seq, change_before, sign_in_before, unknown_sign_in_before, 0, at);
  if exists (
    select from audit_chain c where c.seq <= next.start_seq and c.created_at >= kept_from(c.family, next)
  ) then
    raise exception 'these rows of the audit chain are still needed' using errcode = 'insufficient_privilege';
  end if;
  insert into audit_checkpoints (signed, start_seq, change_before, sign_in_before, unknown_sign_in_before, created_at)
    values (next.signed, next.start_seq, next.change_before, next.sign_in_before, next.unknown_sign_in_before, at);
end $$;

create function drop_audit_months() returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
  oldest timestamptz := least(checkpoint.change_before, checkpoint.sign_in_before, checkpoint.unknown_sign_in_before);
  part name;
  events bigint;
  total bigint := 0;
begin
  for part in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit_events_sealed'::regclass and relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$'
      and to_date(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC' + interval '1 month' <= oldest
  loop
    execute format('select count(*) from %I', part) into events;
    execute format('drop table %I', part);
    update audit_checkpoints set removed = removed + events where number = checkpoint.number;
    total := total + events;
  end loop;
  return total;
end $$;
comment on function drop_audit_months is 'Drops the months of which everything is too old; returns how many events they had.';

create function remove_audit_events(most integer, out events integer, out places integer) language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  checkpoint audit_checkpoints := last_audit_checkpoint();
begin
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
    limit most
  )
  delete from audit_events e using gone where e.id = gone.id and e.created_at = gone.created_at;
  get diagnostics events = row_count;
  update audit_checkpoints set removed = removed + events where number = checkpoint.number and events > 0;
  delete from audit_chain where seq in (
    select seq from audit_chain where seq <= checkpoint.start_seq
      and not exists (select from audit_events e where e.id = event_id and e.created_at = audit_chain.created_at)
    order by seq limit most);
  get diagnostics places = row_count;
end $$;
comment on function remove_audit_events is
  'Removes some of what the last checkpoint says is too old, events and their places in the chain; 0 of both when nothing is left.';
