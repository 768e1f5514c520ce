import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import type { Person } from '#test/people.ts'
import { question, questionsOf } from '#test/questions.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let questions: ReturnType<typeof questionsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  questions = questionsOf(portal)
})
afterAll(() => portal?.close())

/** A service with a token, an organisation that has it, and somebody there. */
async function place(
  userRole: 'regular' | 'serviceAdmin' = 'regular',
  memberRole: 'regular' | 'organizationAdmin' = 'regular',
) {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const person = await member(organizationId, serviceId, userRole, memberRole)
  return { organizationId, serviceId, person, token: await questions.tokenOf(serviceId) }
}
async function member(
  organizationId: string,
  serviceId: string,
  userRole: 'regular' | 'serviceAdmin' = 'regular',
  memberRole: 'regular' | 'organizationAdmin' = 'regular',
): Promise<Person> {
  const person = await portal.person()
  await portal.join(person.accountId, organizationId, memberRole)
  await portal.assign(person.accountId, organizationId, serviceId, userRole)
  return person
}
async function give(serviceId: string, organizationId: string, { accountId }: Person, key: string, rules: object = {}) {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const declared = await root.post('/api/service-roles', { serviceId, key, nameSv: key, ...rules })
  const call = `/api/users/${accountId}/organization/${organizationId}/service/${serviceId}/roles`
  expect((await root.post(call, { roleIds: [declared.json().roleId] })).statusCode).toBe(204)
}
const answer = async (token: string, body: unknown) => (await questions.ask(token, body)).json()
const may = async (token: string, body: unknown): Promise<boolean> => (await answer(token, body)).decision

describe('a service asks whether somebody', () => {
  test('has it in an organisation, with which roles', async () => {
    const { organizationId, serviceId, person, token } = await place('serviceAdmin')
    await give(serviceId, organizationId, person, 'doctor')
    const asked = ['regular', 'serviceAdmin', 'organizationAdmin', 'doctor', 'nurse']
    const decisions = []
    for (const role of asked) decisions.push(await may(token, question(person.accountId, role, organizationId)))
    expect(decisions).toEqual([true, true, false, true, false])
  })

  test('may do something in the portal, by the rules that its own calls go by', async () => {
    const { organizationId, serviceId, person, token } = await place()
    const admin = await member(organizationId, serviceId, 'regular', 'organizationAdmin')
    const serviceAdmin = await member(organizationId, serviceId, 'serviceAdmin')
    const auditor = await member(organizationId, serviceId)
    await portal.give(auditor.accountId, organizationId, 'auditor')
    const asked = ['readAudit', 'manageSettings'].map((name) =>
      may(token, question(auditor.accountId, name, organizationId, 'organization')),
    )
    expect(await Promise.all(asked)).toEqual([true, false])
    const table = []
    for (const name of ['manageSettings', 'handOutService', 'readOrganization', 'manageServices', 'constructor'])
      for (const { accountId } of [person, serviceAdmin, admin])
        table.push(await may(token, question(accountId, name, organizationId, 'organization')))
    expect(table).toEqual([
      ...[false, false, true],
      ...[false, true, true],
      ...[true, true, true],
      // Not of an organisation, and not a permission at all.
      ...[false, false, false],
      ...[false, false, false],
    ])
  })

  test('has a role that needs two factors, for a session that it names', async () => {
    const { organizationId, serviceId, person, token } = await place()
    await give(serviceId, organizationId, person, 'surgeon', { needsTwoFactors: true })
    const asked = question(person.accountId, 'surgeon', organizationId)
    const closed = { decision: false, context: { reason: 'twoFactorsNeeded' } }
    expect(await answer(token, asked)).toEqual(closed)
    expect(await answer(token, { ...asked, context: { amr: ['pwd'] } })).toEqual(closed)
    expect(await answer(token, { ...asked, context: { amr: 'mfa' } })).toEqual(closed)
    expect(await answer(token, { ...asked, context: { amr: ['pwd', 'otp', 'mfa'] } })).toEqual({ decision: true })
  })

  test('may enter the organisation with the session that it names', async () => {
    const { organizationId, person, token } = await place()
    const { db } = portal.system
    await db
      .updateTable('organizations')
      .set({ loginMethod: 'bankid', requireLoginMethod: true })
      .where('organizationId', '=', organizationId)
      .execute()
    const asked = question(person.accountId, 'regular', organizationId)
    const decisions = []
    for (const context of [undefined, { amr: ['pwd'] }, { amr: ['swk', 'mfa'] }])
      decisions.push(await may(token, { ...asked, context }))
    expect(decisions).toEqual([true, false, true])
  })

  test('and not what it says about them itself', async () => {
    const { organizationId, person, token } = await place()
    const asked = question(person.accountId, 'serviceAdmin', organizationId)
    const claimed = { properties: { userRole: 'serviceAdmin', role: 'admin', superUser: true } }
    const body = { ...asked, subject: { ...asked.subject, ...claimed }, context: claimed.properties }
    expect(await may(token, body)).toBe(false)
  })
})

describe('nobody learns from it', () => {
  test('who works for the operator', async () => {
    const { organizationId, serviceId, token } = await place()
    const operator = await portal.person({ superUser: true })
    await portal.join(operator.accountId, organizationId)
    await portal.assign(operator.accountId, organizationId, serviceId)
    for (const name of ['manageSettings', 'manageOrganizations', 'superUser'])
      for (const type of ['organization', 'service'])
        expect(await may(token, question(operator.accountId, name, organizationId, type))).toBe(false)
  })

  test('anything of other services, other organisations and strangers: all are answered as what does not exist', async () => {
    const [mine, theirs] = [await place(), await place()]
    await give(theirs.serviceId, theirs.organizationId, theirs.person, 'doctor')
    const colleague = await portal.person()
    await portal.join(colleague.accountId, mine.organizationId, 'organizationAdmin')
    const none = '01900000-0000-7000-8000-000000000000'
    const asked = []
    for (const type of ['service', 'organization', 'user', theirs.serviceId])
      for (const name of ['regular', 'doctor', 'readOrganization', 'organizationAdmin'])
        for (const [person, organization] of [
          [theirs.person.accountId, theirs.organizationId],
          [theirs.person.accountId, mine.organizationId],
          [mine.person.accountId, theirs.organizationId],
          // A colleague who does not have the service.
          [colleague.accountId, mine.organizationId],
          [none, mine.organizationId],
          [mine.person.accountId, none],
          ['anna@nordvik.example', mine.organizationId],
          [mine.person.accountId, "'; drop table users; --"],
        ] as const)
          asked.push(question(person, name, organization, type))
    const foreignSubject = {
      ...question(mine.person.accountId, 'regular', mine.organizationId),
      subject: { type: 'client', id: mine.person.accountId },
    }
    const answers = new Set<string>()
    for (const one of [...asked, foreignSubject]) {
      const { statusCode, body } = await questions.ask(mine.token, one)
      answers.add(`${statusCode} ${body}`)
    }
    expect([...answers]).toEqual(['200 {"decision":false}'])
    expect(await may(theirs.token, question(theirs.person.accountId, 'doctor', theirs.organizationId))).toBe(true)
  })

  test('with a session, without a token, with one for something else, or once the right is gone', async () => {
    const { organizationId, serviceId, person, token } = await place()
    const services = servicesOf(portal)
    const body = question(person.accountId, 'regular', organizationId)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const bySession = await root.post('/access/v1/evaluation', body)
    expect([bySession.statusCode, bySession.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const clientId = await services.register({ serviceId, directoryAccess: true })
    const { tokens } = await services.signInTo(clientId, person)
    const withoutScope = (await services.tokenFor(clientId)).access_token
    for (const wrong of [tokens.access_token, withoutScope, '', 'a'.repeat(43)])
      expect((await questions.ask(wrong, body)).statusCode).toBe(401)
    expect((await questions.ask(token, body)).statusCode).toBe(200)
    await portal.system.db
      .updateTable('clients')
      .set({ directoryAccess: false })
      .where('serviceId', '=', serviceId)
      .execute()
    expect((await questions.ask(token, body)).statusCode).toBe(401)
  })
})

describe('access that has ended', () => {
  beforeEach(() => setAccessDay(portal, '2026-12-01'))

  test.each(['memberships', 'service_assignments'])('by the days of %s counts on its days alone', async (table) => {
    const { organizationId, person, token } = await place()
    await portal.system.pool.query(
      `update ${table} set valid_from = '2026-12-02', valid_until = '2026-12-03' where account_id = $1`,
      [person.accountId],
    )
    const decisions = []
    for (const day of ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04']) {
      await setAccessDay(portal, day)
      decisions.push(await may(token, question(person.accountId, 'regular', organizationId)))
    }
    expect(decisions).toEqual([false, true, true, false])
  })

  test('as an admin leaves a member', async () => {
    const { organizationId, person, token } = await place('regular', 'organizationAdmin')
    await portal.system.pool.query(`update memberships set role_until = '2026-12-01' where account_id = $1`, [
      person.accountId,
    ])
    const asked = question(person.accountId, 'manageSettings', organizationId, 'organization')
    expect(await may(token, asked)).toBe(true)
    await setAccessDay(portal, '2026-12-02')
    expect(await may(token, asked)).toBe(false)
    expect(await may(token, question(person.accountId, 'regular', organizationId))).toBe(true)
  })

  test.each([
    ['a passive person', { passiveAt: new Date() }],
    ['somebody who has not accepted yet', { pending: true }],
  ])('%s may nothing', async (_, state) => {
    const { organizationId, person, token } = await place('serviceAdmin')
    await portal.system.db.updateTable('users').set(state).where('accountId', '=', person.accountId).execute()
    expect(await may(token, question(person.accountId, 'regular', organizationId))).toBe(false)
  })

  test('an organisation that has given the service back, and a deleted person, are unknown', async () => {
    const { organizationId, serviceId, person, token } = await place()
    const other = await member(organizationId, serviceId)
    await portal.system.db.deleteFrom('users').where('accountId', '=', other.accountId).execute()
    expect(await may(token, question(other.accountId, 'regular', organizationId))).toBe(false)
    expect(await may(token, question(person.accountId, 'regular', organizationId))).toBe(true)
    await portal.system.db.deleteFrom('organizationServices').where('serviceId', '=', serviceId).execute()
    expect(await may(token, question(person.accountId, 'regular', organizationId))).toBe(false)
  })

  test('ends on every node at once, and a restored copy in quarantine answers by its own rows', async () => {
    const { organizationId, person, token } = await place()
    const asked = question(person.accountId, 'regular', organizationId)
    await portal.system.db.updateTable('installation').set({ quarantinedSince: portal.now() }).execute()
    const node = await portal.anotherNode()
    try {
      const there = async () => (await questions.ask(token, asked, 'evaluation', node)).json()
      expect(await there()).toEqual({ decision: true })
      await portal.system.db.deleteFrom('memberships').where('accountId', '=', person.accountId).execute()
      expect(await there()).toEqual({ decision: false })
    } finally {
      await node.close()
      await portal.system.db.updateTable('installation').set({ quarantinedSince: null }).execute()
    }
  })
})

describe('a request', () => {
  test('with more than 50 questions is refused, and one with 50 is answered in their order', async () => {
    const { organizationId, person, token } = await place()
    const { subject, resource } = question(person.accountId, '', organizationId)
    const evaluations = Array.from({ length: 50 }, (_, n) => ({ action: { name: n % 3 ? 'nurse' : 'regular' } }))
    const ask = (list: object[]) => questions.ask(token, { subject, resource, evaluations: list }, 'evaluations')
    const answered = (await ask(evaluations)).json().evaluations.map(({ decision }: { decision: boolean }) => decision)
    expect(answered).toEqual(evaluations.map((_, n) => n % 3 === 0))
    const tooMany = await ask([...evaluations, {}])
    expect([tooMany.statusCode, tooMany.json().issues[0].path]).toEqual([400, 'evaluations'])
  })

  test('has the limit of its own, which reading the directory does not use up', async () => {
    const limited = await testApp({ LIMIT_DECISION: '3/60' })
    try {
      const { send, tokenOf, ask } = questionsOf(limited)
      const [busy, quiet] = [
        await tokenOf((await limited.service()).serviceId),
        await tokenOf((await limited.service()).serviceId),
      ]
      const body = question('nobody', 'regular', 'nowhere')
      const statuses = []
      for (let count = 0; count < 4; count++) statuses.push((await ask(busy, body)).statusCode)
      expect(statuses).toEqual([200, 200, 200, 429])
      expect((await ask(busy, body)).headers['retry-after']).toBe('20')
      expect((await ask(quiet, body)).statusCode).toBe(200)
      const list = {
        method: 'GET',
        url: '/api/v1/organizations',
        headers: { host: 'portal.test', authorization: `Bearer ${busy}` },
      } as const
      expect((await limited.app.inject(list)).statusCode).toBe(200)
      // Who has no token is told so, however often.
      expect((await send('evaluation', JSON.stringify(body))).statusCode).toBe(401)
    } finally {
      await limited.close()
    }
  })

  test.each(['a\nb', 'å', 'x'.repeat(201), ' '])(
    'with an id that no header may repeat gets the one of the portal: %j',
    async (id) => {
      const { headers } = await questions.send('evaluation', '{}', { 'x-request-id': id })
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test('gets its own id back only where a service asks', async () => {
    const own = { 'x-request-id': 'of-the-service' }
    expect((await questions.send('evaluation', '{}', own)).headers['x-request-id']).toBe('of-the-service')
    const elsewhere = await portal.browser().get('/api/portal', own)
    expect(elsewhere.headers['x-request-id']).not.toBe('of-the-service')
  })
})
