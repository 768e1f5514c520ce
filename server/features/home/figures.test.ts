import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HomeAnswer } from '#contract/home/home.ts'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail, tokenIn } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'

const aDay = 24 * 3600

let portal: TestApp
let rootPerson: Person
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  rootPerson = await portal.person({ superUser: true })
})
afterAll(() => portal?.close())

interface Place {
  organizationId: string
  browser: Client
}
const organization = () => invitationsOf(portal).organizationWithAdmin()
async function member({ organizationId }: { organizationId: string }): Promise<Person> {
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  return person
}
async function homeOf({ browser, organizationId }: Place): Promise<HomeAnswer> {
  await portal.seal()
  return (await browser.get(`/api/organizations/${organizationId}/home`)).json()
}
async function homeOfPortal(): Promise<HomeAnswer> {
  const browser = await portal.signedIn(rootPerson)
  await portal.seal()
  return (await browser.get('/api/home')).json()
}
const lastDay = ({ figures }: HomeAnswer) => figures.days.at(-1)

const fails = (person: Person) => signIn(portal.browser(), person.email, 'Wrong-password-7')

async function acceptsInvitation({ admin, organizationId }: { admin: Person; organizationId: string }): Promise<void> {
  const email = newEmail()
  await invite(await portal.signedIn(admin), organizationId, email)
  const [mail] = await invitationsOf(portal).mailsTo(email)
  const { statusCode } = await invitationsOf(portal).accept(email, tokenIn(mail?.values.link))
  expect(statusCode).toBe(204)
}

/** The figures as a count of the events, in the form of the answer, without days on which nothing happened. */
async function countedFromEvents(organizationId?: string) {
  const { rows } = await sql<{ date: string; signIns: number; failed: number; people: number; accepted: number }>`
    select (created_at at time zone 'Europe/Stockholm')::date::text as date,
      count(*) filter (where name = 'loginSuccess') as "signIns",
      count(*) filter (where name = 'loginFailure') as failed,
      count(distinct actor_id) filter (where name = 'loginSuccess') as people,
      count(*) filter (where name in ('acceptInvite', 'joinOrganization')) as accepted
    from audit_events
    where name in ('loginSuccess', 'loginFailure', 'acceptInvite', 'joinOrganization')
      and (created_at at time zone 'Europe/Stockholm')::date > (${portal.now()}::timestamptz at time zone 'Europe/Stockholm')::date - 30
      ${organizationId ? ofOrganization(organizationId) : sql``}
    group by 1 order by 1`.execute(portal.system.db)
  return rows
}
/** A sign-in of a person of several organisations is for none of them to know. */
const ofOrganization = (id: string) => sql`and ${id}::uuid = any (organization_ids)
  and (cardinality(organization_ids) = 1 or name not in ('loginSuccess', 'loginFailure'))`
const asCounted = ({ figures }: HomeAnswer) =>
  figures.days
    .map((day) => ({
      date: day.date,
      signIns: Object.values(day.signIns).reduce((sum, count) => sum + count),
      failed: day.failedSignIns,
      people: day.activePeople,
      accepted: day.acceptedInvitations,
    }))
    .filter(({ signIns, failed, accepted }) => signIns + failed + accepted > 0)

describe('the figures', () => {
  test('are those that a count of the events gives, for the portal and for each organisation', async () => {
    const [one, other] = [await organization(), await organization()]
    const both = await member(one)
    await portal.join(both.accountId, other.organizationId)
    for (let day = 0; day < 4; day++) {
      const here = await member(one)
      await portal.signedIn(here)
      await portal.signedIn(here)
      await portal.signedIn(both)
      await fails(here)
      await fails({ accountId: newId(), email: 'nobody@nowhere.example' })
      await acceptsInvitation(other)
      portal.advance(aDay)
    }
    for (const { organizationId, admin } of [one, other]) {
      const browser = await portal.signedIn(admin)
      const counted = await countedFromEvents(organizationId)
      expect(counted.length).toBeGreaterThan(3)
      expect(asCounted(await homeOf({ organizationId, browser }))).toEqual(counted)
    }
    const whole = await homeOfPortal()
    expect(asCounted(whole)).toEqual(await countedFromEvents())
    expect(whole.figures.days).toHaveLength(30)
  })

  test('begin a new day at midnight in Sweden, in winter and in summer', async () => {
    const place = await organization()
    const until = (moment: string) => portal.advance((Date.parse(moment) - portal.now().getTime()) / 1000)
    until('2026-03-20T22:59:00Z')
    await portal.signedIn(place.admin)
    portal.advance(120)
    await portal.signedIn(place.admin)
    until('2026-04-01T21:59:00Z')
    await portal.signedIn(place.admin)
    portal.advance(120)
    const browser = await portal.signedIn(place.admin)
    const dates = asCounted(await homeOf({ ...place, browser })).map(({ date }) => date)
    expect(dates.slice(-4)).toEqual(['2026-03-20', '2026-03-21', '2026-04-01', '2026-04-02'])
    expect(lastDay(await homeOf({ ...place, browser }))).toMatchObject({ date: '2026-04-02' })
  })

  test('tell the ways of signing in apart, and count a person once a day', async () => {
    const place = await organization()
    portal.advance(aDay)
    const browser = await portal.signedIn(place.admin)
    const person = await member(place)
    for (const method of ['bankid', 'saml', 'passwordAndEmailCode', 'passwordAndSmsCode', 'password', 'passkey'])
      await event(person, place.organizationId, method)
    expect(lastDay(await homeOf({ ...place, browser }))).toMatchObject({
      signIns: { bankid: 1, saml: 1, code: 2, password: 2, passkey: 1 },
      activePeople: 2,
    })
  })

  test('tell nobody when and how a person signs in who belongs to another organisation too', async () => {
    const [place, elsewhere] = [await organization(), await organization()]
    const both = await member(place)
    await portal.join(both.accountId, elsewhere.organizationId)
    const before = [lastDay(await homeOf(place)), lastDay(await homeOfPortal())]
    await portal.signedIn(both)
    await fails(both)
    const [ofPlace, ofPortal] = [lastDay(await homeOf(place)), lastDay(await homeOfPortal())]
    expect(ofPlace).toEqual(before[0])
    expect(ofPortal?.failedSignIns).toBe((before[1]?.failedSignIns ?? 0) + 1)
  })

  test('show the seats that are used of each service, with a limit where all have one', async () => {
    const [one, other] = [await organization(), await organization()]
    const { serviceId, name } = await portal.service()
    await portal.offer(one.organizationId, serviceId, 10)
    await portal.offer(other.organizationId, serviceId)
    await portal.assign(one.admin.accountId, one.organizationId, serviceId)
    await portal.assign(other.admin.accountId, other.organizationId, serviceId)
    const seats = async (home: HomeAnswer) => home.figures.seats.find((one) => one.serviceId === serviceId)
    expect(await seats(await homeOf(one))).toEqual({ serviceId, name, seatsUsed: 1, maxNumberOfUsers: 10 })
    expect(await seats(await homeOf(other))).toMatchObject({ seatsUsed: 1, maxNumberOfUsers: null })
    expect(await seats(await homeOfPortal())).toMatchObject({ seatsUsed: 2, maxNumberOfUsers: null })
  })
})

const event = ({ accountId, email }: Person, organizationId: string, method: string) =>
  portal.system.db
    .insertInto('auditEvents')
    .values({
      id: newId(),
      name: 'loginSuccess',
      actorId: accountId,
      actor: email,
      organizationIds: [organizationId],
      changes: JSON.stringify([{ property: 'method', previousValue: null, newValue: method }]),
      createdAt: portal.now(),
    })
    .execute()
