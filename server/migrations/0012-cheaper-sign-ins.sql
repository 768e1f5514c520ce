-- What every sign-in writes, planned once for each connection and with no more indexes than somebody asks by.

-- The same bytes as before. A function of this language keeps its plan; one in SQL is planned anew on every call.
create or replace function audit_event_bytes(event audit_events) returns bytea language plpgsql immutable
  set search_path = pg_catalog as $$
begin
  return convert_to((
    select string_agg(coalesce(octet_length(field)::text || ':' || field, '-'), ',' order by position)
    from unnest(array[
      event.seq::text, event.id::text, event.name, event.actor_id::text, event.actor, event.target_id, event.target,
      array_to_string(event.organization_ids, ' '), event.changes::text, event.request_id,
      (extract(epoch from event.created_at) * 1000000)::bigint::text
    ]) with ordinality as fields (field, position)), 'UTF8');
end $$;

-- Names the schema once, here, instead of building each statement anew.
do $do$
begin
  execute format($create$
    create or replace function %1$I.chain_audit_event() returns trigger language plpgsql security definer
      set search_path = pg_catalog, pg_temp as $$
    begin
      select seq + 1, hash into new.seq, new.previous_hash from %1$I.audit_head for update;
      new.hash := sha256(new.previous_hash || %1$I.audit_event_bytes(new));
      update %1$I.audit_head set seq = new.seq, hash = new.hash;
      return new;
    end $$
  $create$, current_schema());
end $do$;

-- Nothing of the provider's but sessions is found by uid; most artifacts belong to no grant and to nobody.
drop index provider_artifacts_by_uid;
drop index provider_artifacts_by_grant;
drop index provider_artifacts_by_account;
create index provider_artifacts_by_grant on provider_artifacts (grant_id) where grant_id is not null;
create index provider_artifacts_by_account on provider_artifacts (account_id) where account_id is not null;
