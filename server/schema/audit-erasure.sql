-- A person who was deleted can be erased from the audit log too (decision 0052): a pseudonym takes the place of the address,
-- and the chain stays whole.

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

create function keep_audit_erasure(signed text, at timestamptz) returns void language sql security definer
  set search_path = public, pg_temp
  as 'insert into audit_erasures (signed, created_at) values (signed, at)';

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
    when is_target and property not in ('method', 'client', 'loginMethod', 'userRole', 'superUser', 'portalRole', 'portalRoleFrom', 'portalRoleUntil', 'organization',
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

create function erase_from_audit_events(subject text, pseudonym text) returns setof uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  known text[] := former_addresses(subject);
  addresses text;
begin
  -- No month leaves for a file with the content of before.
  perform pg_advisory_xact_lock(hashtext('audit cold months'));
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
comment on function erase_from_audit_events is
  'Puts a pseudonym in the place of someone who was deleted. Without a signed list of the returned events the chain is broken.';
