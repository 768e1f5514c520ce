import type pg from 'pg'

/** How much the audit log gets. */
export interface Events {
  people: number
  organizations: number
  services: number
  events: number
}

const months = 24

/** The events of one month: who signed in and out, and what admins changed, by how often that comes (in percent). */
const rows = (part: string, { people, organizations, services, events }: Events, first: number, last: number) => `
  insert into ${part} (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
  select gen_random_uuid(),
    case when kind < 62 then 'loginSuccess' when kind < 80 then 'logout' when kind < 88 then 'loginFailure'
      when kind < 93 then 'updateUser' when kind < 96 then 'inviteUser' when kind < 98 then 'updateUserServices'
      when kind < 99 then 'createUser' else 'updateService' end,
    actor_id, actor,
    (case when kind < 88 then actor_id when kind < 99 then pg_temp.seed_id(3, t) else pg_temp.seed_id(2, s) end)::text,
    case when kind < 88 then actor when kind < 99 then pg_temp.email(t) else pg_temp.service_name(s) end,
    case when kind < 99 then pg_temp.place_ids(a) else '{}' end,
    case when kind < 62
        then jsonb '[{"property": "method", "previousValue": null, "newValue": "password"},
          {"property": "address", "previousValue": null, "newValue": "192.0.2.0/24"}]'
      when kind < 80 then jsonb '[]'
      when kind < 88 then jsonb '[{"property": "reason", "previousValue": null, "newValue": "wrongPassword"}]'
      else jsonb '[{"property": "phoneNumber", "previousValue": "+46701740605", "newValue": "+46701740606"}]' end,
    'bench', $1::timestamptz + ($2::timestamptz - $1::timestamptz) * ((n - ${first}) / ${last - first}::float8)
  from (
    select n, a, kind, pg_temp.seed_id(3, a) as actor_id, pg_temp.email(a) as actor,
      (a + ${organizations} * (1 + n % 7)) % ${people} as t, 1 + n % ${services} as s
    from (
      select n, (hashint8(n) & 65535) * 100 / 65536 as kind, (hashint8(n + ${events}) & 2147483647)::bigint % ${people} as a
      from generate_series(${first}::bigint, ${last - 1}) as n offset 0) as drawn offset 0) as event`

/** The months before this one, each with the work that fills its partition, to be done over one connection each. */
export async function auditMonths(
  client: pg.Client,
  events: Events,
): Promise<((client: pg.Client) => Promise<void>)[]> {
  const { rows: found } = await client.query<{ part: string; from: Date; until: Date }>(
    `select 'audit_events_' || to_char(month, 'YYYY_MM') as part, month at time zone 'UTC' as from,
       (month + interval '1 month') at time zone 'UTC' as until
     from (select date_trunc('month', now() at time zone 'UTC') - make_interval(months => ago) as month
       from generate_series(${months}, 1, -1) as ago) as past`,
  )
  const { rows: indexes } = await client.query<{ definition: string }>(
    `select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON ONLY public.audit_events_sealed', 'INDEX ON %I') as definition
     from pg_index where indrelid = 'audit_events_sealed'::regclass order by indexrelid`,
  )
  return found.map(({ part, from, until }, place) => async (one: pg.Client) => {
    const at = (number: number) => Math.floor((events.events * number) / months)
    await one.query('begin')
    await one.query(`create table ${part} (like audit_events_sealed including defaults including generated)`)
    await one.query(rows(part, events, at(place), at(place + 1)), [from, until])
    await one.query('commit')
    await one.query(`alter table ${part} add primary key (id)`)
    for (const { definition } of indexes) await one.query(definition.replace('%I', part))
    await one.query(`create trigger audit_events_are_never_emptied before truncate on ${part}
      for each statement execute function refuse_change()`)
    // With the check that the partition needs, attaching it reads no row.
    await one.query(`alter table ${part} add constraint within
      check (sealed and created_at is not null and created_at >= '${from.toISOString()}' and created_at < '${until.toISOString()}')`)
    await one.query(`vacuum (analyze) ${part}`)
  })
}

/** Makes the filled tables months of the log. The events of the demo move to the month in which they happened. */
export async function attachMonths(client: pg.Client): Promise<void> {
  const { rows: filled } = await client.query<{ part: string; from: string; until: string }>(
    `select relname as part, to_char(month, 'YYYY-MM-DD') || ' 00:00+00' as from,
       to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00+00' as until
     from pg_class, lateral (select to_date(right(relname, 7), 'YYYY_MM') as month) as named
     where relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$' and relkind = 'r' and not relispartition`,
  )
  await client.query('begin')
  await client.query('alter table audit_events_sealed detach partition audit_events_other')
  for (const { part, from, until } of filled) {
    await client.query(
      `alter table audit_events_sealed attach partition ${part} for values from ('${from}') to ('${until}')`,
    )
    await client.query(`alter table ${part} drop constraint within`)
  }
  const { rows: columns } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and table_name = 'audit_events_other' and is_generated = 'NEVER'`,
  )
  const names = columns[0]?.names ?? ''
  await client.query('create temp table elsewhere on commit drop as table audit_events_other')
  await client.query('alter table audit_events_other disable trigger user')
  await client.query('truncate audit_events_other')
  await client.query('alter table audit_events_other enable trigger user')
  await client.query('alter table audit_events_sealed attach partition audit_events_other default')
  await client.query(`insert into audit_events_sealed (${names}) select ${names} from elsewhere`)
  await client.query('commit')
}
