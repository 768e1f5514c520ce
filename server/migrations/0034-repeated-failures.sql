-- Failed sign-ins of one address and origin that are more than twenty in an hour become one event with their number.

create table repeated_failures (
  label text not null,
  origin text not null,
  hour timestamptz not null,
  count integer not null,
  event jsonb not null,
  primary key (label, origin, hour)
);
comment on table repeated_failures is 'Failed sign-ins of the hour. What is above twenty has no event of its own; a job writes one for all when the hour is over.';

-- As in 0027; an event with a number counts as so many.
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
      method, sum(times)
    from counted group by place, day, figure, method
    union all
    select organization_id, day, 'activePerson', '', count(*) from first_today group by organization_id, day
    on conflict on constraint daily_figure_once do update set count = known.count + excluded.count;
end $$;
