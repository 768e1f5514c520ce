import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
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
const membersOf = async (organizationId: string) =>
  (
    await portal.system.db
      .selectFrom('memberships')
      .select(['email', 'userRole'])
      .where('organizationId', '=', organizationId)
      .execute()
  ).map(({ email, userRole }) => `${email} ${userRole}`)

/** One row of each kind, and what is to become of it. */
async function mixture() {
  const { organizationId, admin, browser } = await invites.organizationWithAdmin()
  const { serviceId } = await portal.service('Journal')
  const scarce = await portal.service('Arkiv')
  await portal.offer(organizationId, serviceId)
  await portal.offer(organizationId, scarce.serviceId, 1)
  const known = await portal.person()
  const [first, second, third] = [newEmail(), newEmail(), newEmail()]
  const rows = [
    { email: ` ${first.toUpperCase()}`, firstName: 'Åsa', lastName: 'Ek', services: ['journal', ''], userRole: '' },
    { email: known.email, userRole: 'organizationAdmin' },
    { email: admin.email },
    { email: first },
    { email: second, services: ['Arkiv'] },
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
  test('is shown row by row before anything is written', async () => {
    const { organizationId, admin, browser, rows, answer, first } = await mixture()
    const response = await dryRun(browser, organizationId, rows)
    expect([response.statusCode, response.json().rows]).toEqual([200, answer])
    expect(await membersOf(organizationId)).toEqual([`${admin.email} organizationAdmin`])
    expect([await invites.userOf(first), await invites.eventsOf(first)]).toEqual([undefined, []])
  })

  test('writes what it showed, leaves out what is not right, and leaves an event for each person', async () => {
    const { organizationId, admin, browser, rows, answer, first, second, known, serviceId } = await mixture()
    const response = await run(browser, organizationId, rows)
    expect([response.statusCode, response.json().rows]).toEqual([200, answer])
    expect((await membersOf(organizationId)).sort()).toEqual(
      [
        `${admin.email} organizationAdmin`,
        `${first} regular`,
        `${known.email} organizationAdmin`,
        `${second} regular`,
      ].sort(),
    )
    expect(await invites.userOf(first)).toMatchObject({ pending: true, firstName: 'Åsa', lastName: 'Ek' })
    const assigned = await portal.system.db
      .selectFrom('serviceAssignments')
      .innerJoin('users', 'users.accountId', 'serviceAssignments.accountId')
      .select('email')
      .where('serviceId', '=', serviceId)
      .execute()
    expect(assigned).toEqual([{ email: first }])
    for (const email of [first, known.email, second])
      expect((await invites.eventsOf(email)).map(({ name, actor }) => [name, actor])).toEqual([
        ['inviteUser', admin.email],
      ])
    expect((await invites.mailsTo(first)).map((mail) => mail.template)).toEqual(['user-invite'])
    expect((await invites.mailsTo(known.email)).map((mail) => mail.template)).toEqual(['membership-added'])
    expect((await invites.find(await invites.mailedToken(first))).json()).toMatchObject({
      firstName: 'Åsa',
      lastName: 'Ek',
    })
    expect(outcomes(await run(browser, organizationId, rows)).slice(0, 3)).toEqual(Array(3).fill('alreadyMember'))
  })

  test('tells only a super user who has an account already', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const known = await portal.person()
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    expect(outcomes(await dryRun(browser, organizationId, [{ email: known.email }]))).toEqual(['invited'])
    expect(outcomes(await dryRun(superUser, organizationId, [{ email: known.email }]))).toEqual(['added'])
  })

  test('of two at once for the last seat gives it to one of them', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const { serviceId } = await portal.service('Ensam')
    await portal.offer(organizationId, serviceId, 1)
    const answers = await Promise.all(
      [1, 2].map(() => run(browser, organizationId, [{ email: newEmail(), services: ['Ensam'] }])),
    )
    expect(answers.flatMap(outcomes).sort()).toEqual(['invited', 'noSeatsLeft'])
  })

  test('of two at once with the same people invites each of them once', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const rows = rowsFor(20)
    const answers = await Promise.all([run(browser, organizationId, rows), run(browser, organizationId, rows)])
    expect(answers.flatMap(outcomes).sort()).toEqual([...Array(20).fill('alreadyMember'), ...Array(20).fill('invited')])
    for (const { email } of rows) expect(await invites.mailsTo(email)).toHaveLength(1)
  })

  test('of 500 people is shown in less than three seconds, and invites them all', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const rows = rowsFor(500)
    const begun = performance.now()
    expect(outcomes(await dryRun(browser, organizationId, rows))).toEqual(Array(500).fill('invited'))
    const shown = performance.now() - begun
    expect(shown).toBeLessThan(3000)
    expect(outcomes(await run(browser, organizationId, rows))).toEqual(Array(500).fill('invited'))
    expect(await membersOf(organizationId)).toHaveLength(501)
  })

  test('takes 500 rows and no more', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const response = await dryRun(browser, organizationId, rowsFor(501))
    expect([response.statusCode, response.json().issues]).toEqual([422, [{ path: 'rows', message: 'tooLong' }]])
  })

  test('has a limit of its own, and leaves that of single invitations alone', async () => {
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
      const named = (table: 'users' | 'memberships') =>
        db
          .selectFrom(table)
          .select('email')
          .where('email', '=', late?.email ?? '')
          .execute()
      expect([...(await named('users')), ...(await named('memberships'))]).toEqual([])
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
