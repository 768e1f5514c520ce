-- What the home page counts, per day and organisation, written with the event that it counts (decision 0032).

create table daily_figures (
  organization_id uuid,
  day date not null,
  figure text not null check (figure in ('signIn', 'failedSignIn', 'activePerson', 'acceptedInvitation')),
  method text not null default '',
  count integer not null,
  constraint daily_figure_once unique nulls not distinct (organization_id, day, figure, method)
) with (fillfactor = 50);
comment on table daily_figures is 'Kept by the trigger on audit_events. Days are those of Sweden.';
comment on column daily_figures.organization_id is
  'Null: the whole portal. No reference: an event may be written after its organisation was deleted.';
comment on column daily_figures.method is 'How people signed in, for signIn alone.';

create table daily_people (
  day date not null,
  organization_id uuid,
  account_id uuid not null,
  constraint daily_person_once unique nulls not distinct (day, organization_id, account_id)
);
comment on table daily_people is 'Who signed in on a day, so that nobody is counted twice. Rows of past days are removed.';

-- Events are written one after the other, because each locks the head of the chain until its commit. Counting in a row
-- that many share therefore makes nobody wait longer.
create function count_audit_event() returns trigger language plpgsql as $$
declare
  its_day date := (new.created_at at time zone 'Europe/Stockholm')::date;
  places uuid[] := array[null::uuid] || new.organization_ids;
begin
  insert into daily_figures as known (organization_id, day, figure, method, count)
    select place, its_day,
      case new.name when 'loginSuccess' then 'signIn' when 'loginFailure' then 'failedSignIn' else 'acceptedInvitation' end,
      case new.name when 'loginSuccess'
        then coalesce(jsonb_path_query_first(new.changes, '$[*] ? (@.property == "method")') ->> 'newValue', 'password')
        else '' end,
      1
    from unnest(places) as place
    on conflict on constraint daily_figure_once do update set count = known.count + 1;
  if new.name = 'loginSuccess' and new.actor_id is not null then
    with first_today as (
      insert into daily_people (day, organization_id, account_id)
        select its_day, place, new.actor_id from unnest(places) as place
        on conflict do nothing
        returning organization_id
    )
    insert into daily_figures as known (organization_id, day, figure, count)
      select organization_id, its_day, 'activePerson', 1 from first_today
      on conflict on constraint daily_figure_once do update set count = known.count + 1;
  end if;
  return null;
end $$;
-- The past is counted while sign-ins go on, up to the last event of this moment.
create temporary table counted on commit drop as select coalesce(max(seq), 0) as seq from audit_events;
create temporary table past on commit drop as
  select (created_at at time zone 'Europe/Stockholm')::date as day, place, name, actor_id,
    case name when 'loginSuccess'
      then coalesce(jsonb_path_query_first(changes, '$[*] ? (@.property == "method")') ->> 'newValue', 'password')
      else '' end as method
  from audit_events, unnest(array[null::uuid] || organization_ids) as place
  where name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization')
    and seq <= (select seq from counted);
insert into daily_figures (organization_id, day, figure, method, count)
  select place, day,
    case name when 'loginSuccess' then 'signIn' when 'loginFailure' then 'failedSignIn' else 'acceptedInvitation' end as figure,
    method, count(*)
  from past group by place, day, figure, method;
insert into daily_figures (organization_id, day, figure, count)
  select place, day, 'activePerson', count(distinct actor_id)
  from past where name = 'loginSuccess' and actor_id is not null group by place, day;
insert into daily_people (day, organization_id, account_id)
  select distinct day, place, actor_id from past
  where name = 'loginSuccess' and actor_id is not null and day >= (select max(day) - 1 from past);

-- From here on no event is written until the commit. Those that came meanwhile are counted as new ones are.
create trigger count_audit_event after insert on audit_events for each row
  when (new.name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization'))
  execute function count_audit_event();
create temporary table meanwhile (like audit_events) on commit drop;
create trigger count_audit_event after insert on meanwhile for each row execute function count_audit_event();
insert into meanwhile
  select * from audit_events
  where name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization')
    and seq > (select seq from counted);

-- What could not be sent is few among many.
create index outbox_messages_failed on outbox_messages (finished_at) where state = 'failed';
