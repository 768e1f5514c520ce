import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ComingPassiveUser } from '#contract/passive-users/passive-users.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'
import { createPassiveUsersJob } from './passive-users.ts'
import { takeStep } from './take-step.ts'

const day = 24 * 3600

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let rootPerson: Person
let home: { organizationId: string; name: string }
let admin: Person

beforeAll(async () => {
  portal = await testApp()
  outbox = outboxOf(portal)
  rootPerson = await portal.person({ superUser: true })
})
afterAll(() => portal?.close())

// Admins and people of other tests have a limit that never comes.
const never = 36_500
beforeEach(async () => {
  await portal.system.db.updateTable('users').set({ maxPassiveDays: never }).execute()
  home = await portal.organization()
  admin = await member({}, { userRole: 'organizationAdmin', maxPassiveDays: never })
})

interface Membership {
  userRole?: 'regular' | 'organizationAdmin'
  organizationId?: string
  maxPassiveDays?: number | null
}

/** A person who was active just now, by default with a limit of 30 days, of the test's organisation. */
async function member(options: Parameters<TestApp['person']>[0] = {}, membership: Membership = {}): Promise<Person> {
  const { userRole = 'regular', organizationId = home.organizationId, maxPassiveDays = 30 } = membership
  const person = await portal.person(options)
  await portal.join(person.accountId, organizationId, userRole)
  await change(person, { maxPassiveDays })
  return person
}

interface Columns {
  maxPassiveDays?: number | null
  lastActive?: Date | null
  createdAt?: Date
}
const change = ({ accountId }: Person, columns: Columns) =>
  portal.system.db.updateTable('users').set(columns).where('accountId', '=', accountId).execute()

const limitOf = (organizationId: string, maxPassiveDays: number) =>
  portal.system.db
    .updateTable('organizations')
    .set({ maxPassiveDays })
    .where('organizationId', '=', organizationId)
    .execute()

const runJob = () => createPassiveUsersJob(portal.system).run()

/** Lets days pass in which no job runs, and then a night in which it does. */
async function afterDays(days: number): Promise<void> {
  portal.advance(days * day)
  await runJob()
}

const isPassive = async ({ accountId }: Person) =>
  (await portal.system.db.selectFrom('users').select('passiveAt').where('accountId', '=', accountId).executeTakeFirst())
    ?.passiveAt !== null

const mailsTo = async ({ email }: Person) => (await outbox.messagesTo(email)).reverse()
const templatesTo = async (person: Person) => (await mailsTo(person)).map(({ template }) => template)

const eventsOf = async ({ accountId }: Person) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'actor', 'organizationIds', 'changes', 'requestId'])
    .where('targetId', '=', accountId)
    .where('requestId', '=', 'job passive-users')
    .orderBy('id')
    .execute()

describe('a user who is not active', () => {
  test('is warned 14 days and 1 day before, once each, and becomes passive on the day', async () => {
    const person = await member({ firstName: 'Åsa', lastName: 'Öst', preferredLanguage: 'fi' })
    const due = new Date(portal.now().getTime() + 30 * day * 1000).toISOString()
    await afterDays(15.9)
    expect(await templatesTo(person)).toEqual([])
    await afterDays(0.1)
    await afterDays(1)
    await afterDays(11.9)
    expect(await mailsTo(person)).toMatchObject([
      { template: 'notify-last-active', language: 'fi', values: { firstName: 'Åsa', becomesPassiveAt: due } },
    ])
    await afterDays(0.1)
    await afterDays(0.9)
    expect(await templatesTo(person)).toEqual(['notify-last-active', 'notify-last-active'])
    expect(await isPassive(person)).toBe(false)
    expect(await templatesTo(admin)).toEqual([])
    await afterDays(0.1)
    await afterDays(1)
    expect(await isPassive(person)).toBe(true)
    expect(await templatesTo(person)).toHaveLength(2)
    const lastActive = new Date(Date.parse(due) - 30 * day * 1000).toISOString()
    expect(await mailsTo(admin)).toMatchObject([
      {
        template: 'notify-organization-admin',
        values: { organizationName: home.name, users: [{ name: 'Åsa Öst', email: person.email, lastActive }] },
      },
    ])
    const { organizationId } = home
    const warning = { property: 'becomesPassiveAt', previousValue: null, newValue: due }
    const system = { actor: null, organizationIds: [organizationId] }
    expect(await eventsOf(person)).toMatchObject([
      { ...system, name: 'notifyInactiveUser', changes: [warning] },
      { ...system, name: 'notifyInactiveUser', changes: [warning] },
      { ...system, name: 'updateUser', changes: [{ property: 'passive', previousValue: 'false', newValue: 'true' }] },
    ])
    expect(await eventsOf(admin)).toMatchObject([
      {
        ...system,
        name: 'notifyInactiveUser',
        changes: [{ property: 'passiveUsers', previousValue: null, newValue: person.email }],
      },
    ])
  })

  test('gets the nearest warning alone when nights were missed, and none when the day has passed', async () => {
    const nearest = await member()
    const passed = await member({}, { maxPassiveDays: 29 })
    await afterDays(29.5)
    expect(await templatesTo(nearest)).toEqual(['notify-last-active'])
    expect(await templatesTo(passed)).toEqual([])
    expect(await isPassive(passed)).toBe(true)
    await afterDays(0.2)
    expect(await templatesTo(nearest)).toEqual(['notify-last-active'])
  })

  test('is signed out, and a sign-in is refused until an admin updates last active', async () => {
    const person = await member()
    const browser = await portal.signedIn(person)
    const adminBrowser = await portal.signedIn(admin)
    await change(person, { lastActive: new Date(portal.now().getTime() - 30 * day * 1000) })
    await runJob()
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    const again = portal.browser()
    await signIn(again, person.email, testPassword)
    expect((await again.get('/api/me')).statusCode).toBe(401)
    expect((await adminBrowser.post(`/api/users/${person.accountId}/last-active/now`)).statusCode).toBe(204)
    await portal.signedIn(person)
    await afterDays(1)
    expect(await isPassive(person)).toBe(false)
  })

  test('stays when they sign in after a warning, and is warned anew the next time', async () => {
    const person = await member()
    await afterDays(16)
    await portal.signedIn(person)
    await afterDays(15)
    expect(await isPassive(person)).toBe(false)
    expect(await templatesTo(person)).toEqual(['notify-last-active'])
    await afterDays(1)
    expect(await templatesTo(person)).toEqual(['notify-last-active', 'notify-last-active'])
  })

  test('stays when an admin updates last active', async () => {
    const person = await member()
    await afterDays(29)
    const browser = await portal.signedIn(admin)
    expect((await browser.post(`/api/users/${person.accountId}/last-active/now`)).statusCode).toBe(204)
    await afterDays(1)
    expect(await isPassive(person)).toBe(false)
    expect(await templatesTo(person)).toHaveLength(1)
  })

  test('is counted from the creation of the account when they never signed in', async () => {
    const person = await member()
    await change(person, { lastActive: null, createdAt: portal.now() })
    await afterDays(16)
    expect(await templatesTo(person)).toEqual(['notify-last-active'])
    await afterDays(14)
    expect(await isPassive(person)).toBe(true)
    expect((await mailsTo(admin))[0]?.values).toMatchObject({ users: [{ lastActive: null }] })
  })

  test('gets no mail 14 days before when the limit is 14 days or less', async () => {
    const person = await member({}, { maxPassiveDays: 14 })
    await afterDays(1)
    expect(await templatesTo(person)).toEqual([])
    await afterDays(12)
    expect(await templatesTo(person)).toEqual(['notify-last-active'])
  })

  test('is left for the next night while their account is being changed', async () => {
    const person = await member()
    portal.advance(30 * day)
    await portal.system.db.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ firstName: 'New' }).where('accountId', '=', person.accountId).execute()
      await runJob()
    })
    expect(await isPassive(person)).toBe(false)
    await runJob()
    expect(await isPassive(person)).toBe(true)
  })
})

describe('the limit', () => {
  test.each([
    ['', 0],
    [', also where nearly all others have 180', 60],
  ])('is the own one, then the longest of the organisations, then 180 days%s', async (_, others) => {
    for (let count = 0; count < others; count++) await portal.organization()
    await limitOf(home.organizationId, 20)
    const longer = await portal.organization()
    await limitOf(longer.organizationId, 40)
    const own = await member({}, { maxPassiveDays: 10 })
    const ofOne = await member({}, { maxPassiveDays: null })
    const ofBoth = await member({}, { maxPassiveDays: null })
    await portal.join(ofBoth.accountId, longer.organizationId)
    const ofNone = await portal.person()
    const passive = async () => Promise.all([own, ofOne, ofBoth, ofNone].map(isPassive))
    await afterDays(10)
    expect(await passive()).toEqual([true, false, false, false])
    await afterDays(10)
    expect(await passive()).toEqual([true, true, false, false])
    await afterDays(20)
    expect(await passive()).toEqual([true, true, true, false])
    await afterDays(139)
    expect(await passive()).toEqual([true, true, true, false])
    await afterDays(1)
    expect(await passive()).toEqual([true, true, true, true])
  })

  test('never comes for super users, pending accounts and invitations', async () => {
    const superUser = await member({ superUser: true })
    const pending = await member({ pending: true })
    await afterDays(60)
    for (const person of [superUser, pending]) {
      expect(await isPassive(person)).toBe(false)
      expect(await templatesTo(person)).toEqual([])
    }
  })
})

/** How many transactions wait for another. */
async function countWaiting(): Promise<number> {
  const { rows } = await portal.system.pool.query<{ count: number }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
}

describe('the admins of an organisation', () => {
  test('get one mail with all that became passive, and nothing about people or organisations of others', async () => {
    const other = await portal.organization()
    const otherAdmin = await member(
      {},
      { organizationId: other.organizationId, userRole: 'organizationAdmin', maxPassiveDays: never },
    )
    await portal.join(admin.accountId, other.organizationId, 'organizationAdmin')
    const here = await member({ lastName: 'Aa' })
    const both = await member({ lastName: 'Bb' })
    await portal.join(both.accountId, other.organizationId)
    await member({ lastName: 'Cc' }, { organizationId: other.organizationId })
    await afterDays(30)
    const listed = ({ values }: Awaited<ReturnType<typeof mailsTo>>[number]) =>
      (values.users as { email: string }[]).map(({ email }) => email)
    const toAdmin = (await mailsTo(admin)).map((mail) => [mail.values.organizationName, listed(mail).length])
    expect(toAdmin.sort()).toEqual([
      [home.name, 2],
      [other.name, 2],
    ])
    const [toOther, ...more] = await mailsTo(otherAdmin)
    expect(more).toEqual([])
    expect(toOther?.values).toMatchObject({ organizationName: other.name })
    expect(JSON.stringify(toOther?.values)).not.toContain(here.email)
    expect(toOther?.values).not.toHaveProperty(['users', 0, 'lastActive'])
  })

  test('get the mail after a run that broke off, without those who were reopened meanwhile', async () => {
    const [stays, reopened] = [await member(), await member()]
    await portal.system.db
      .updateTable('users')
      .set({ passiveAt: portal.now() })
      .where('accountId', '=', stays.accountId)
      .execute()
    for (const { accountId } of [stays, reopened])
      await portal.system.db
        .insertInto('passiveReports')
        .values({ accountId, organizationId: home.organizationId })
        .execute()
    await runJob()
    await runJob()
    const mails = await mailsTo(admin)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.values).toMatchObject({ users: [{ email: stays.email }] })
  })
})

describe('the last admin of an organisation', () => {
  test('becomes passive 14 days after super users were warned', async () => {
    const { organizationId, name } = await portal.organization()
    const last = await member(
      { firstName: 'Last', lastName: 'Admin' },
      { organizationId, userRole: 'organizationAdmin' },
    )
    const before = (await mailsTo(rootPerson)).length
    await afterDays(30)
    await afterDays(1)
    await afterDays(12.9)
    expect(await isPassive(last)).toBe(false)
    const becomesPassiveAt = new Date(portal.now().getTime() + 0.1 * day * 1000).toISOString()
    expect((await mailsTo(rootPerson)).slice(before)).toMatchObject([
      {
        template: 'notify-last-admin',
        values: { admin: { name: 'Last Admin', email: last.email }, organizationNames: [name], becomesPassiveAt },
      },
    ])
    const events = await eventsOf(rootPerson)
    expect(events.at(-1)).toMatchObject({ name: 'notifyInactiveUser', actor: null, organizationIds: [] })
    await afterDays(0.1)
    expect(await isPassive(last)).toBe(true)
    expect((await mailsTo(rootPerson)).slice(before)).toHaveLength(1)
  })

  test('of two who become due in the same night, on two nodes at once, one stays', async () => {
    const { organizationId } = await portal.organization()
    const membership = { organizationId, userRole: 'organizationAdmin' } as const
    const two = [await member({}, membership), await member({}, membership)]
    portal.advance(30 * day)
    let running: Promise<void> | undefined
    await portal.system.db.transaction().execute(async (trx) => {
      // One node is about to commit the first, while another takes the second.
      await takeStep({ outbox: portal.system.outbox, now: portal.now() }, trx, two[0]?.accountId ?? '')
      running = runJob()
      await vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(0))
    })
    await running
    expect(await Promise.all(two.map(isPassive))).toEqual([true, false])
  })

  test('is the last one beside an admin whose role ends', async () => {
    const { organizationId } = await portal.organization()
    const last = await member({}, { organizationId, userRole: 'organizationAdmin' })
    const limited = await member({}, { organizationId, userRole: 'organizationAdmin', maxPassiveDays: never })
    await portal.system.pool.query(`update memberships set role_until = '2999-12-31' where account_id = $1`, [
      limited.accountId,
    ])
    await afterDays(30)
    expect(await isPassive(last)).toBe(false)
    expect((await mailsTo(rootPerson)).at(-1)).toMatchObject({ values: { admin: { email: last.email } } })
  })

  test('becomes passive at once when another admin has been appointed', async () => {
    const { organizationId } = await portal.organization()
    const last = await member({}, { organizationId, userRole: 'organizationAdmin' })
    await afterDays(30)
    expect(await isPassive(last)).toBe(false)
    await member({}, { organizationId, userRole: 'organizationAdmin', maxPassiveDays: never })
    await afterDays(1)
    expect(await isPassive(last)).toBe(true)
  })
})

test('several nodes at once send each mail and write each event once', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => member()))
  for (const days of [16, 13, 1]) {
    portal.advance(days * day)
    await Promise.all([runJob(), runJob(), runJob()])
  }
  for (const person of people) {
    expect(await templatesTo(person)).toEqual(['notify-last-active', 'notify-last-active'])
    expect((await eventsOf(person)).map(({ name }) => name)).toEqual([
      'notifyInactiveUser',
      'notifyInactiveUser',
      'updateUser',
    ])
  }
  const mails = await mailsTo(admin)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.values.users).toHaveLength(8)
})

test('an account that fails is rolled back alone, and the job fails to be retried', async () => {
  const [broken, fine] = [await member({ email: 'a"b@test.example' }), await member()]
  portal.advance(16 * day)
  await expect(runJob()).rejects.toThrow('failed for 1 accounts')
  expect(await templatesTo(fine)).toEqual(['notify-last-active'])
  expect(await eventsOf(broken)).toEqual([])
  await change(broken, { maxPassiveDays: never })
})

describe('the preview', () => {
  const preview = async (client: Client, url: string, page = 1) => {
    const response = await client.get(`${url}?page=${page}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json() as { totalCount: number; items: ComingPassiveUser[] }
  }
  const inDays = (days: number) => new Date(portal.now().getTime() + days * day * 1000).toISOString()

  test('tells admins who is warned or becomes passive in the next 30 days, and when', async () => {
    await change(admin, { maxPassiveDays: 100 })
    const later = await member({}, { maxPassiveDays: 45 })
    const sooner = await member({}, { maxPassiveDays: 44 })
    const soonest = await member()
    const browser = await portal.signedIn(admin)
    const url = `/api/organizations/${home.organizationId}/passive-preview`
    const { totalCount, items } = await preview(browser, url)
    expect(totalCount).toBe(2)
    expect(items).toMatchObject([
      { email: soonest.email, nextWarningAt: inDays(16), passiveAt: inDays(30) },
      { email: sooner.email, nextWarningAt: inDays(30), passiveAt: inDays(44) },
    ])
    expect(JSON.stringify(items)).not.toContain(later.email)
    expect(await preview(browser, url, 2)).toMatchObject({ totalCount: 2, items: [] })

    await afterDays(20)
    expect((await preview(await portal.signedIn(admin), url)).items[0]).toMatchObject({
      nextWarningAt: inDays(9),
      passiveAt: inDays(10),
    })
  })

  test('counts 180 days for a member whose time has not begun, whatever the organisation has', async () => {
    await limitOf(home.organizationId, 365)
    const person = await member({}, { maxPassiveDays: null })
    await portal.system.pool.query(`update memberships set valid_from = '2999-01-01' where account_id = $1`, [
      person.accountId,
    ])
    portal.advance(160 * day)
    const { items } = await preview(
      await portal.signedIn(admin),
      `/api/organizations/${home.organizationId}/passive-preview`,
    )
    expect(items).toMatchObject([{ email: person.email, passiveAt: inDays(20) }])
  })

  test('gives the last admin of an organisation 14 days more', async () => {
    await change(admin, { maxPassiveDays: 10 })
    const root = await portal.signedIn(rootPerson)
    const { items } = await preview(root, '/api/users/passive-preview')
    expect(items.find(({ email }) => email === admin.email)).toMatchObject({
      organizations: [{ name: home.name }],
      nextWarningAt: inDays(9),
      passiveAt: inDays(24),
    })
  })

  test('is refused to others, and another organisation is not there', async () => {
    const other = await portal.organization()
    const [asAdmin, asMember] = [await portal.signedIn(admin), await portal.signedIn(await member())]
    expect((await asAdmin.get('/api/users/passive-preview')).statusCode).toBe(403)
    expect((await asAdmin.get(`/api/organizations/${other.organizationId}/passive-preview`)).statusCode).toBe(404)
    expect((await asMember.get(`/api/organizations/${home.organizationId}/passive-preview`)).statusCode).toBe(403)
  })
})
