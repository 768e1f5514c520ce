import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { longestBlock } from '#test/event-loop.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

const dryRun = (browser: Client, organizationId: string, rows: object[]) =>
  browser.post('/api/invites/bulk/dry-run', { organizationId, rows })
const run = (browser: Client, organizationId: string, rows: object[]) =>
  browser.post('/api/invites/bulk', { organizationId, rows })
const rowsFor = (count: number) => Array.from({ length: count }, () => ({ email: newEmail() }))
const outcomes = (response: Awaited<ReturnType<typeof run>>) =>
  response.json().rows.map((row: { outcome: string }) => row.outcome)
const invitedTo = async (organizationId: string) =>
  (
    await portal.system.db
      .selectFrom('invitations')
      .select(['email', 'userRole'])
      .where('organizationId', '=', organizationId)
      .execute()
  ).map(({ email, userRole }) => `${email} ${userRole}`)

/** One row of each kind, with the expected outcome. */
async function mixture() {
  const { organizationId, admin, browser } = await invites.organizationWithAdmin()
  const { serviceId } = await portal.service('Journal')
  const full = await portal.service('Arkiv')
  await portal.offer(organizationId, serviceId)
  await portal.offer(organizationId, full.serviceId, 1)
  await portal.assign(admin.accountId, organizationId, full.serviceId)
  const known = await portal.person()
  const [first, second, third] = [newEmail(), newEmail(), newEmail()]
  const rows = [
    { email: ` ${first.toUpperCase()}`, firstName: 'Åsa', lastName: 'Ek', services: ['journal', ''], userRole: '' },
    { email: known.email, userRole: 'organizationAdmin' },
    { email: admin.email },
    { email: first },
    { email: second, services: ['Journal'] },
    { email: third, services: ['Journal', 'Arkiv'] },
    { email: 'no address', userRole: 'king' },
    { email: newEmail(), services: ['Journal', 'Flygplan'] },
  ]
  const answer = [
    { email: first, outcome: 'invited' },
    { email: known.email, outcome: 'invited' },
    { email: admin.email, outcome: 'alreadyMember' },
    { email: first, outcome: 'duplicate' },
    { email: second, outcome: 'invited' },
    { email: third, outcome: 'noSeatsLeft', issues: [{ path: 'services.1', message: 'noSeatsLeft' }] },
    {
      email: 'no address',
      outcome: 'invalid',
      issues: [
        { path: 'email', message: 'invalidEmail' },
        { path: 'userRole', message: 'invalidValue' },
      ],
    },
    {
      email: rows[7]?.email,
      outcome: 'invalid',
      issues: [{ path: 'services.1', message: 'serviceNotInOrganization' }],
    },
  ]
  return { organizationId, admin, browser, rows, answer, first, second, known, serviceId }
}

describe('an import', () => {
  test('takes people from elsewhere into an organisation with its own sign-in only as guests', async () => {
    const { organizationId } = await portal.organization(undefined, 'saml')
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const joins = async (guest: boolean) => {
      const person = await portal.person()
      const answer = await root.post('/api/invites/bulk', { organizationId, rows: [{ email: person.email }], guest })
      expect(answer.json().rows).toEqual([{ email: person.email, outcome: 'invited' }])
      const browser = await portal.signedIn(person)
      const [{ invitationId }] = (await browser.get('/api/invites/mine')).json()
      return (await browser.post(`/api/invites/${invitationId}/join`, {})).statusCode
    }
    expect(await joins(false)).toBe(409)
    expect(await joins(true)).toBe(204)
  })

  test('is shown row by row before anything is written', async () => {
    const { organizationId, browser, rows, answer, first } = await mixture()
    const response = await dryRun(browser, organizationId, rows)
    expect([response.statusCode, response.json().rows]).toEqual([200, answer])
    expect(await invitedTo(organizationId)).toEqual([])
    expect(await invites.eventsOf(first)).toEqual([])
  })

  test('invites the people that the dry run showed, skips invalid rows, and records an event for each person', async () => {
    const { organizationId, admin, browser, rows, answer, first, second, known, serviceId } = await mixture()
    const response = await run(browser, organizationId, rows)
    expect([response.statusCode, response.json().rows]).toEqual([200, answer])
    expect((await invitedTo(organizationId)).sort()).toEqual(
      [`${first} regular`, `${known.email} organizationAdmin`, `${second} regular`].sort(),
    )
    expect(await invites.userOf(first)).toBeUndefined()
    const promised = await portal.system.db
      .selectFrom('invitationServices')
      .innerJoin('invitations', 'invitations.invitationId', 'invitationServices.invitationId')
      .select('email')
      .where('serviceId', '=', serviceId)
      .orderBy('email')
      .execute()
    expect(promised.map(({ email }) => email)).toEqual([first, second].sort())
    for (const email of [first, known.email, second])
      expect((await invites.eventsOf(email)).map(({ name, actor }) => [name, actor])).toEqual([
        ['inviteUser', admin.email],
      ])
    expect((await invites.mailsTo(first)).map((mail) => mail.template)).toEqual(['user-invite'])
    expect((await invites.mailsTo(known.email)).map((mail) => mail.template)).toEqual(['user-invite'])
    expect((await invites.find(await invites.mailedToken(first))).json()).toMatchObject({
      firstName: 'Åsa',
      lastName: 'Ek',
    })
    expect(outcomes(await run(browser, organizationId, rows)).slice(0, 3)).toEqual(Array(3).fill('alreadyMember'))
  })

  test('does not reveal who already has an account', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const known = await portal.person()
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    for (const client of [browser, superUser])
      expect(outcomes(await dryRun(client, organizationId, [{ email: known.email }]))).toEqual(['invited'])
  })

  test('takes no seats: more people may be invited than there are seats', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const { serviceId } = await portal.service('Ensam')
    await portal.offer(organizationId, serviceId, 1)
    const rows = [1, 2].map(() => ({ email: newEmail(), services: ['Ensam'] }))
    expect(outcomes(await run(browser, organizationId, rows))).toEqual(['invited', 'invited'])
    for (const { email } of rows)
      expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
    const services = (await browser.get(`/api/organizations/${organizationId}/services`)).json()
    expect(services).toEqual([expect.objectContaining({ serviceId, seatsUsed: 1 })])
  })

  test('invites each person once when two imports with the same people run concurrently', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const rows = rowsFor(20)
    const answers = await Promise.all([run(browser, organizationId, rows), run(browser, organizationId, rows)])
    expect(answers.flatMap(outcomes).sort()).toEqual([...Array(20).fill('alreadyMember'), ...Array(20).fill('invited')])
    for (const { email } of rows) expect(await invites.mailsTo(email)).toHaveLength(1)
  })

  test('with very many roles is read as fast, however many roles the service has', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const { serviceId } = await portal.service('Roller')
    await portal.offer(organizationId, serviceId)
    const declare = (from: number, to: number) =>
      portal.system.pool.query(
        `insert into service_roles (role_id, service_id, key, name_sv)
          select gen_random_uuid(), $1, 'role' || number, 'Roll' from generate_series($2::int, $3) number`,
        [serviceId, from, to],
      )
    const cell = `Roller [${'z,'.repeat(120)}]`
    const rows = rowsFor(450).map((row) => ({ ...row, services: Array(4).fill(cell) }))
    const longest = async () => {
      expect(new Set(outcomes(await dryRun(browser, organizationId, rows)))).toEqual(new Set(['invalid']))
      return longestBlock(() => dryRun(browser, organizationId, rows))
    }
    await declare(1, 20)
    const few = await longest()
    await declare(21, 1000)
    expect(await longest()).toBeLessThan(3 * few)
  })

  test('of 500 people is shown in less than three seconds, and invites them all', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const rows = rowsFor(500)
    const begun = performance.now()
    expect(outcomes(await dryRun(browser, organizationId, rows))).toEqual(Array(500).fill('invited'))
    const shown = performance.now() - begun
    expect(shown).toBeLessThan(3000)
    expect(outcomes(await run(browser, organizationId, rows))).toEqual(Array(500).fill('invited'))
    expect(await invitedTo(organizationId)).toHaveLength(500)
  })

  test('accepts at most 500 rows', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const response = await dryRun(browser, organizationId, rowsFor(501))
    expect([response.statusCode, response.json().issues]).toEqual([422, [{ path: 'rows', message: 'tooLong' }]])
  })

  test('has its own limit, and does not count against that of single invitations', async () => {
    const strict = await testApp({ LIMIT_IMPORTED_INVITATION: '3/600', LIMIT_INVITATION: '1/3600' })
    try {
      const { browser, organizationId } = await invitationsOf(strict).organizationWithAdmin()
      expect((await run(browser, organizationId, rowsFor(3))).statusCode).toBe(200)
      expect((await run(browser, organizationId, [{ email: 'nonsense' }])).statusCode).toBe(200)
      const [late] = rowsFor(1)
      const refused = await run(browser, organizationId, [late ?? {}])
      expect([refused.statusCode, refused.json().message]).toEqual([429, 'tooManyImported'])
      expect(refused.headers['retry-after']).toBe('600')
      const { db } = strict.system
      const named = (table: 'users' | 'invitations') =>
        db
          .selectFrom(table)
          .select('email')
          .where('email', '=', late?.email ?? '')
          .execute()
      expect([...(await named('users')), ...(await named('invitations'))]).toEqual([])
      expect(await invitationsOf(strict).mailsTo(late?.email ?? '')).toEqual([])
      expect(await invitationsOf(strict).eventsOf(late?.email ?? '')).toEqual([])
      expect(outcomes(await dryRun(browser, organizationId, [late ?? {}]))).toEqual(['invited'])
      strict.advance(600)
      expect(outcomes(await run(browser, organizationId, [late ?? {}]))).toEqual(['invited'])
      expect((await invite(browser, organizationId, newEmail())).statusCode).toBe(201)
    } finally {
      await strict.close()
    }
  })
})
