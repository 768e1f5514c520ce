create or replace function count_sealed_events(most integer) returns integer language plpgsql security definer as $$
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
      -- A sign-in of a person of several organisations is for none of them to know (security 84): the portal alone counts it.
      unnest(array[null::uuid] || case when cardinality(organization_ids) > 1 and name in ('loginSuccess', 'loginFailure')
        then '{}' else organization_ids end) as place
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
