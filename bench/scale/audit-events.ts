import pg from 'pg'

// The names of events by how often they come, in percent; and whose they are.
const kinds = `
  (values ('loginSuccess', 0, 62), ('logout', 62, 80), ('loginFailure', 80, 88), ('updateUser', 88, 93),
    ('inviteUser', 93, 96), ('updateUserServices', 96, 98), ('createUser', 98, 99), ('updateService', 99, 100)
  ) as kind (name, least, most)`

const month = `
  insert into %I (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
  select gen_random_uuid(), kind.name, actor.account_id, actor.email,
    case kind.name when 'updateService' then service.service_id else target.account_id end::text,
    case kind.name when 'updateService' then service.name else target.email end,
    case kind.name when 'updateService' then '{}' else actor.places end,
    case when kind.least < 88
      then '[{"property": "method", "previousValue": null, "newValue": "password"},
        {"property": "address", "previousValue": null, "newValue": "192.0.2.0/24"}]'
      else '[{"property": "phoneNumber", "previousValue": "+46701740605", "newValue": "+46701740606"}]' end::jsonb,
    'bench', $1::timestamptz + ($2::timestamptz - $1::timestamptz) * n / $3::integer
  from generate_series(0, $3::integer - 1) as n
    join ${kinds} on (hashint4(n) & 65535) * 100 / 65536 >= least and (hashint4(n) & 65535) * 100 / 65536 < most
    join bench_people actor on actor.turn = (hashint4(n + 1) & 2147483647) % $4::integer
    join bench_people target on target.turn = case when kind.least < 88 then actor.turn
      else (actor.turn + 1 + n % 7) % $4::integer end
    join bench_services service on service.turn = n % $5::integer`

/** Fills the audit log with events of two years, a partition for each month. They have no places in the chain, which lists do not read. */
export async function seedAuditEvents(ownerUrl: string, events: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(`create temp table bench_people as
      select (row_number() over (order by md5(account_id::text)) - 1)::integer as turn, account_id, email,
        array(select organization_id from memberships m where m.account_id = users.account_id) as places
      from users`)
    await client.query(`create temp table bench_services as
      select (row_number() over (order by service_id) - 1)::integer as turn, service_id, name from services`)
    await client.query('create index on bench_people (turn)')
    await client.query('analyze bench_people')
    const count = async (table: string) =>
      Number((await client.query(`select count(*) as count from ${table}`)).rows[0].count)
    const [people, services] = [await count('bench_people'), await count('bench_services')]
    // It has the demo's events of the months that get their own partitions.
    await client.query('alter table audit_events_sealed detach partition audit_events_other')
    const months = 24
    for (let ago = months; ago > 0; ago--) {
      const { rows } = await client.query<{ part: string; from: Date; until: Date }>(
        `select 'audit_events_' || to_char(month, 'YYYY_MM') as part, month at time zone 'UTC' as from,
           (month + interval '1 month') at time zone 'UTC' as until
         from (select date_trunc('month', now() at time zone 'UTC') - make_interval(months => $1) as month) as the`,
        [ago],
      )
      const [the] = rows
      if (!the) throw new Error('no month')
      const part = client.escapeIdentifier(the.part)
      await client.query(`create table ${part} (like audit_events_sealed including defaults including generated)`)
      const { from, until } = the
      await client.query(month.replace('%I', part), [from, until, Math.ceil(events / months), people, services])
      await client.query(`alter table ${part} add primary key (id)`)
      await client.query(
        `alter table audit_events_sealed attach partition ${part} for values from ('${from.toISOString()}') to ('${until.toISOString()}')`,
      )
    }
    await client.query('vacuum (analyze) audit_events')
  } finally {
    await client.end()
  }
}

/** Makes the person an admin of the organisation with most members. */
export async function makeAdminOfTheLargest(ownerUrl: string, email: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(
    `insert into memberships (account_id, organization_id, user_role)
     select account_id, (select organization_id from organizations order by member_count desc limit 1), 'organizationAdmin'
     from users where email = $1`,
    [email],
  )
  await client.end()
}
