-- What the home page counts, per day and organisation (decision 0032).

create table daily_figures (
  organization_id uuid,
  day date not null,
  figure text not null check (figure in ('signIn', 'failedSignIn', 'activePerson', 'acceptedInvitation')),
  method text not null default '',
  count integer not null,
  constraint daily_figure_once unique nulls not distinct (organization_id, day, figure, method)
) with (fillfactor = 50);
comment on table daily_figures is 'Kept by count_sealed_events. Days are those of Sweden.';
comment on column daily_figures.organization_id is
  'Null: the whole portal. No reference: an event may be written after its organisation was deleted.';
comment on column daily_figures.method is 'How people signed in, for signIn alone.';
create index daily_figures_by_day on daily_figures (day);

create table daily_people (
  day date not null,
  organization_id uuid,
  account_id uuid not null,
  constraint daily_person_once unique nulls not distinct (day, organization_id, account_id)
);
comment on table daily_people is 'Who signed in on a day, so that nobody is counted twice. Rows of past days are removed.';

-- The counts follow the chain in a transaction of their own.
create table daily_figures_until (
  only_row boolean primary key default true check (only_row),
  seq bigint not null
);
comment on table daily_figures_until is 'The last place of the chain that daily_figures and daily_people count.';
insert into daily_figures_until (seq) values (0);

create function count_sealed_events(most integer) returns integer language plpgsql security definer
  set search_path = public, pg_temp as $$
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
comment on function count_sealed_events is
  'Adds the next places of the chain to the figures of their days; returns how many. While another process does, it does nothing.';
