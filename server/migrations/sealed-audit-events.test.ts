import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { sealAndCount } from '#server/platform/audit/sealer.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const directory = mkdtempSync(join(tmpdir(), 'vestibule-migrations-'))
let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await createTestDatabase({ bare: true })
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
  rmSync(directory, { recursive: true })
})

/** Migrates as the version did that had this many migrations. */
async function migrateTo(last: number): Promise<void> {
  for (const file of readdirSync(import.meta.dirname).filter((name) => /^[0-9]+-/.test(name)))
    if (Number(file.slice(0, 4)) <= last) cpSync(join(import.meta.dirname, file), join(directory, file))
  await migrate({
    ownerUrl: database.ownerUrl,
    appRole: new URL(database.appUrl).username,
    directory,
    say: () => {},
  })
}

/** As every version inserts events: without a place in the chain. Of three people in two organisations, every seven hours. */
const addEvents = (count: number, firstDay: number) =>
  owner.query(
    `insert into audit_events (id, name, actor_id, organization_ids, changes, created_at)
     select gen_random_uuid(), (array['loginSuccess', 'loginFailure', 'acceptInvite', 'updateUser'])[1 + n % 4],
       case when n % 4 <> 1 then lpad((n % 3)::text, 32, '0')::uuid end, array[lpad((n % 2)::text, 32, '0')::uuid],
       case when n % 8 = 0 then '[{"property": "method", "newValue": "bankid"}]' else '[]' end::jsonb,
       now() + $2 * interval '1 day' + n * interval '7 hours'
     from generate_series(1, $1) as n`,
    [count, firstDay],
  )

const figures = async () =>
  (
    await owner.query(
      'select organization_id, day::text, figure, method, count from daily_figures order by 1, 2, 3, 4 nulls first',
    )
  ).rows

/** The same as a count of the events. */
const counted = async () =>
  (
    await owner.query(`
      with told as (
        select place as organization_id, (created_at at time zone 'Europe/Stockholm')::date::text as day, name, actor_id,
          case when name <> 'loginSuccess' then '' when changes = '[]' then 'password' else 'bankid' end as method
        from audit_events, unnest(array[null::uuid] || organization_ids) as place
      )
      select organization_id, day,
        case name when 'loginSuccess' then 'signIn' when 'loginFailure' then 'failedSignIn' else 'acceptedInvitation' end as figure,
        method, count(*)::int as count
      from told where name <> 'updateUser' group by 1, 2, 3, 4
      union all
      select organization_id, day, 'activePerson', '', count(distinct actor_id)::int
      from told where name = 'loginSuccess' and actor_id is not null group by 1, 2
      order by 1, 2, 3, 4 nulls first`)
  ).rows

test('events of every earlier version stay in the chain, and stay counted', async () => {
  await migrateTo(20)
  await addEvents(300, -100)
  const file = readFileSync(join(import.meta.dirname, '0021-daily-figures.sql'), 'utf8')
  // Half of the events come while it counts.
  await owner.query(`begin; ${file.replace('coalesce(max(seq), 0)', 'max(seq) / 2')}`)
  expect(await figures()).toEqual(await counted())
  await owner.query('rollback')
  await migrateTo(25)
  await addEvents(50, 0)
  expect((await figures()).length).toBeGreaterThan(100)
  expect(await figures()).toEqual(await counted())
  const { rows } = await owner.query(`select seq, encode(hash, 'hex') as hash from audit_head`)

  // These wait for the sealer when their table changes, and have no salt.
  await migrateTo(46)
  await addEvents(10, 15)
  await migrateTo(Number.POSITIVE_INFINITY)
  const known = rows[0]
  expect(await verifyAuditChain(owner, { known })).toMatchObject({ intact: true, head: { seq: 360 }, unsealed: 0 })
  await addEvents(60, 20)
  expect(await verifyAuditChain(owner, { known })).toMatchObject({ intact: true, head: { seq: 360 }, unsealed: 60 })
  const serving = openDatabase({ url: database.appUrl })
  await sealAndCount(serving.db)
  await serving.close()
  expect(await verifyAuditChain(owner, { known })).toMatchObject({ intact: true, head: { seq: 420 } })
  expect(await figures()).toEqual(await counted())

  await owner.query(`alter table audit_events disable trigger user;
    update audit_events set actor = 'x' where id = (select event_id from audit_chain where seq = 7)`)
  expect(await verifyAuditChain(owner)).toMatchObject({ intact: false, seq: 7, reason: 'its content was changed' })
})
