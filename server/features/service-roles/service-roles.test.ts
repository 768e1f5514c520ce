import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Client } from '#test/client.ts'
import { invitationsOf, newEmail, tokenIn } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  invites = invitationsOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

async function declare(serviceId: string, key: string, more: object = {}): Promise<string> {
  const answer = await root.post('/api/service-roles', { serviceId, key, nameSv: `Roll ${key}`, ...more })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().roleId
}

/** An organisation with a service, its admin, and so many people who have the service. */
async function hospital(count = 1, name = `Journal ${newEmail()}`) {
  const home = await invites.organizationWithAdmin()
  const { serviceId } = await portal.service(name)
  await portal.offer(home.organizationId, serviceId)
  const people = []
  for (let number = 0; number < count; number++) {
    const person = await portal.person()
    await portal.join(person.accountId, home.organizationId)
    await portal.assign(person.accountId, home.organizationId, serviceId)
    people.push(person)
  }
  const place = (userId: string) => `/api/users/${userId}/organization/${home.organizationId}`
  return {
    ...home,
    serviceId,
    name,
    people,
    person: people[0] as (typeof people)[number],
    give: (userId: string, roleIds: readonly string[], by = home.browser, service = serviceId) =>
      by.post(`${place(userId)}/service/${service}/roles`, { roleIds }),
    rolesOf: async (userId: string): Promise<string[]> =>
      (await home.browser.get(`${place(userId)}/service-roles`)).json().map(({ roleId }: { roleId: string }) => roleId),
  }
}
const problem = (answer: { statusCode: number; json: () => { message: string } }) => [
  answer.statusCode,
  answer.json().message,
]

describe('a super user declares the roles of a service', () => {
  test('with a key that no other role of the service ever has, and that nobody changes', async () => {
    const { serviceId } = await portal.service()
    const roleId = await declare(serviceId, 'doctor')
    const again = () => root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Annan' })
    expect(problem(await again())).toEqual([409, 'roleKeyUsed'])
    expect((await root.put('/api/service-roles', { roleId, key: 'nurse' })).statusCode).toBe(422)
    expect((await root.delete(`/api/service-roles/${roleId}`)).statusCode).toBe(204)
    expect(problem(await again())).toEqual([409, 'roleKeyUsed'])
    expect((await root.get(`/api/service-roles?serviceId=${serviceId}`)).json()).toEqual([])
    // Another service may call its own so.
    await declare((await portal.service()).serviceId, 'doctor')
  })

  test('the database itself keeps a key: not renamed, not brought back, not deleted but with its service', async () => {
    const { serviceId } = await portal.service()
    const roleId = await declare(serviceId, 'doctor')
    const run = (text: string) => portal.system.pool.query(text, [roleId])
    await expect(run(`update service_roles set key = 'nurse' where role_id = $1`)).rejects.toThrow('keeps its meaning')
    await expect(run('delete from service_roles where role_id = $1')).rejects.toThrow('keeps its meaning')
    await root.delete(`/api/service-roles/${roleId}`)
    await expect(run('update service_roles set removed_at = null where role_id = $1')).rejects.toThrow(
      'keeps its meaning',
    )
    expect((await root.delete(`/api/services/${serviceId}`)).statusCode).toBe(204)
    expect((await run('select from service_roles where role_id = $1')).rows).toEqual([])
  })

  test.each(['regular', 'organizationAdmin', 'serviceAdmin', 'superUser', '', '1st', 'två', 'a b', 'a'.repeat(51)])(
    'but not with the key "%s"',
    async (key) => {
      const { serviceId } = await portal.service()
      const answer = await root.post('/api/service-roles', { serviceId, key, nameSv: 'Namn' })
      expect([answer.statusCode, answer.json().issues?.[0]?.path]).toEqual([422, 'key'])
    },
  )

  test('and no rule that somebody breaks already', async () => {
    const { serviceId, people, give } = await hospital(2)
    const [doctor, auditor] = [await declare(serviceId, 'doctor'), await declare(serviceId, 'auditor')]
    for (const { accountId } of people) expect((await give(accountId, [doctor, auditor])).statusCode).toBe(204)
    const change = (form: object) => root.put('/api/service-roles', { roleId: doctor, ...form })
    expect(problem(await change({ maxPeople: 1 }))).toEqual([409, 'roleHasMorePeople'])
    expect((await change({ maxPeople: 2 })).statusCode).toBe(200)
    expect(problem(await change({ excludes: ['auditor'] }))).toEqual([409, 'rolesHeldTogether'])
    expect((await change({ excludes: ['cook'] })).json().issues[0].path).toBe('excludes.0')
    expect((await change({ excludes: ['doctor'] })).json().issues[0].path).toBe('excludes.0')
  })
})

describe('an admin hands out the roles of the services that the organisation has', () => {
  test('to a person who has the service, and loses them with it', async () => {
    const { serviceId, name, organizationId, person, give, rolesOf, browser } = await hospital()
    const [doctor, nurse] = [await declare(serviceId, 'doctor'), await declare(serviceId, 'nurse')]
    expect((await give(person.accountId, [nurse, doctor])).statusCode).toBe(204)
    expect((await rolesOf(person.accountId)).sort()).toEqual([doctor, nurse].sort())
    const { rows } = await portal.system.pool.query(
      `select changes from audit_events where name = 'updateUserServiceRoles' and target_id = $1`,
      [person.accountId],
    )
    expect(rows[0].changes).toEqual(
      expect.arrayContaining([
        { property: 'serviceRoles', previousValue: null, newValue: 'doctor, nurse' },
        { property: 'service', previousValue: null, newValue: name },
      ]),
    )
    const offered = (await browser.get(`/api/organizations/${organizationId}/service-roles`)).json()
    expect(offered.map(({ key, people }: { key: string; people: number }) => [key, people])).toEqual([
      ['doctor', 1],
      ['nurse', 1],
    ])
    await browser.delete(`/api/services/${serviceId}/${organizationId}/users/${person.accountId}`)
    expect(await rolesOf(person.accountId)).toEqual([])
    await portal.assign(person.accountId, organizationId, serviceId)
    expect(await rolesOf(person.accountId)).toEqual([])
  })

  test('to nobody else, and none of another service', async () => {
    const [here, there] = [await hospital(), await hospital()]
    const [mine, theirs] = [await declare(here.serviceId, 'doctor'), await declare(there.serviceId, 'doctor')]
    const stranger = await portal.person()
    const colleague = await portal.person()
    await portal.join(colleague.accountId, here.organizationId)
    const { person, give } = here
    expect((await give(person.accountId, [theirs])).statusCode).toBe(422)
    expect((await give(person.accountId, [theirs], here.browser, there.serviceId)).statusCode).toBe(404)
    expect((await give(there.person.accountId, [mine])).statusCode).toBe(404)
    expect((await give(stranger.accountId, [mine])).statusCode).toBe(404)
    expect((await give(colleague.accountId, [mine])).statusCode).toBe(404)
    expect((await give(person.accountId, [mine], there.browser)).statusCode).toBe(404)
    expect((await give(person.accountId, [mine], await portal.signedIn(person))).statusCode).toBe(403)
    // An admin of the service hands out the service, and no role in it.
    const serviceAdmin = await portal.person()
    await portal.join(serviceAdmin.accountId, here.organizationId)
    await portal.assign(serviceAdmin.accountId, here.organizationId, here.serviceId, 'serviceAdmin')
    expect((await give(person.accountId, [mine], await portal.signedIn(serviceAdmin))).statusCode).toBe(403)
    await root.delete(`/api/service-roles/${mine}`)
    expect((await give(person.accountId, [mine])).statusCode).toBe(422)
    expect(
      await portal.system.db
        .selectFrom('serviceRoleAssignments')
        .selectAll()
        .where('roleId', 'in', [mine, theirs])
        .execute(),
    ).toEqual([])
  })

  test('to as many people as the role may have, however many ask at once', async () => {
    const { serviceId, people, give } = await hospital(6)
    const chief = await declare(serviceId, 'chief', { maxPeople: 2 })
    const answers = await Promise.all(people.map(({ accountId }) => give(accountId, [chief])))
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([204, 204, 409, 409, 409, 409])
    expect(problem(answers.find(({ statusCode }) => statusCode === 409) as never)).toEqual([409, 'serviceRoleFull'])
    // Another organisation has its own count.
    const other = await hospital(0)
    await portal.offer(other.organizationId, serviceId)
    const person = await portal.person()
    await portal.join(person.accountId, other.organizationId)
    await portal.assign(person.accountId, other.organizationId, serviceId)
    expect((await other.give(person.accountId, [chief], other.browser, serviceId)).statusCode).toBe(204)
  })

  test('never two that exclude each other, in either direction, and not by two calls at once', async () => {
    const { serviceId, person, give, rolesOf, browser, organizationId } = await hospital()
    const pays = await declare(serviceId, 'pays')
    const approves = await declare(serviceId, 'approves', { excludes: ['pays'] })
    expect(problem(await give(person.accountId, [pays, approves]))).toEqual([409, 'serviceRolesExclude'])
    for (const role of [pays, approves]) expect((await give(person.accountId, [role])).statusCode).toBe(204)
    expect(await rolesOf(person.accountId)).toEqual([approves])
    await give(person.accountId, [])
    const assign = (roleId: string) =>
      browser.post(`/api/organizations/${organizationId}/users/assign-role`, { accountIds: [person.accountId], roleId })
    const rows = (await Promise.all([assign(pays), assign(approves)])).map((answer) => answer.json().rows[0].outcome)
    expect(rows.sort()).toEqual(['done', 'failed'])
    expect((await rolesOf(person.accountId)).length).toBe(1)
  })

  test('to many at once: those without the service are skipped, and those beyond the limit told before', async () => {
    const { serviceId, organizationId, people, browser, rolesOf } = await hospital(3)
    const chief = await declare(serviceId, 'chief', { maxPeople: 2 })
    const colleague = await portal.person()
    await portal.join(colleague.accountId, organizationId)
    const accountIds = [colleague, ...people].map(({ accountId }) => accountId)
    const send = async (action: string, more: object = {}) =>
      (
        await browser.post(`/api/organizations/${organizationId}/users/${action}`, {
          accountIds,
          roleId: chief,
          ...more,
        })
      )
        .json()
        .rows.map(({ outcome, reason }: { outcome: string; reason: string | null }) => reason ?? outcome)
    const expected = ['bulkLacksService', 'done', 'done', 'serviceRoleFull']
    expect(await send('assign-role', { dryRun: true })).toEqual(expected)
    expect(await send('assign-role')).toEqual(expected)
    expect(await send('assign-role', { accountIds: accountIds.slice(1, 2) })).toEqual(['bulkHasRole'])
    expect(await send('revoke-role')).toEqual(['bulkLacksRole', 'done', 'done', 'bulkLacksRole'])
    expect(await rolesOf(people[0]?.accountId ?? '')).toEqual([])
  })

  test('with an import, and they wait with the invitation', async () => {
    const name = `Journal ${newEmail()}`
    const { serviceId, organizationId, browser, give, rolesOf } = await hospital(0, name)
    const [doctor, chief] = [await declare(serviceId, 'doctor'), await declare(serviceId, 'chief', { maxPeople: 1 })]
    const [first, second] = [newEmail(), newEmail()]
    const rows = [
      { email: first, services: [`${name} [doctor, chief]`] },
      { email: second, services: [`${name} [chief]`] },
      { email: newEmail(), services: [`${name} [cook]`] },
    ]
    const answer = await browser.post('/api/invites/bulk', { organizationId, rows })
    expect(answer.json().rows).toMatchObject([
      { outcome: 'invited' },
      { outcome: 'invited' },
      { outcome: 'invalid', issues: [{ path: 'services.0', message: 'serviceRoleUnknown' }] },
    ])
    const idOf = async (email: string) => (await invites.invitationOf(email))?.invitationId ?? ''
    expect((await rolesOf(await idOf(first))).sort()).toEqual([chief, doctor].sort())
    // The inviter changes what waits; a change of the services keeps it.
    expect((await give(await idOf(first), [doctor])).statusCode).toBe(204)
    await browser.post(`/api/users/${await idOf(first)}/organization/${organizationId}/service`, {
      services: [{ serviceId, userRole: 'serviceAdmin' }],
    })
    const joined = async (email: string) => {
      const [mail] = await invites.mailsTo(email)
      expect((await invites.accept(email, tokenIn(mail?.values.link))).statusCode).toBe(204)
      const { accountId } = await portal.system.db
        .selectFrom('users')
        .select('accountId')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      return accountId
    }
    expect(await rolesOf(await joined(first))).toEqual([doctor])
    // The last one is taken before the second accepts: they come in without it.
    const other = await portal.person()
    await portal.join(other.accountId, organizationId)
    await portal.assign(other.accountId, organizationId, serviceId)
    await give(other.accountId, [chief])
    expect(await rolesOf(await joined(second))).toEqual([])
  })
})

describe('a role that an invitation promises is not given where the promiser', () => {
  async function promised() {
    const here = await hospital(0)
    const doctor = await declare(here.serviceId, 'doctor')
    const promiser = await portal.person()
    await portal.join(promiser.accountId, here.organizationId, 'organizationAdmin')
    const email = newEmail()
    const rows = [{ email, services: [here.name] }]
    await here.browser.post('/api/invites/bulk', { organizationId: here.organizationId, rows })
    const invitationId = (await invites.invitationOf(email))?.invitationId ?? ''
    expect((await here.give(invitationId, [doctor], await portal.signedIn(promiser))).statusCode).toBe(204)
    const rolesAfter = async () => {
      const { organizationId } = here
      expect((await here.browser.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(204)
      await invites.accept(email, await invites.mailedToken(email))
      return here.rolesOf((await invites.userOf(email))?.accountId ?? '')
    }
    return { ...here, doctor, promiser, rolesAfter }
  }

  test('is an admin no more, though another one sends it again', async () => {
    const { promiser, organizationId, rolesAfter } = await promised()
    const other = await promised()
    expect(await other.rolesAfter()).toEqual([other.doctor])
    await root.delete(`/api/users/${promiser.accountId}/organization/${organizationId}`)
    expect(await rolesAfter()).toEqual([])
  })

  test('has been deleted', async () => {
    const { promiser, rolesAfter } = await promised()
    expect((await root.delete(`/api/users/${promiser.accountId}`)).statusCode).toBe(204)
    expect(await rolesAfter()).toEqual([])
  })
})

describe('the service gets', () => {
  const scope = 'openid profile email organizations organization'
  const enter = async (browser: Client, clientId: string) => {
    const { headers } = await browser.get(servicesOf(portal).requestFor(clientId, { scope }), { accept: 'text/html' })
    return servicesOf(portal).tokensAt(clientId, String(headers.location))
  }
  const userInfo = async (token: string) =>
    (await portal.browser().get('/oidc/me', { authorization: `Bearer ${token}` })).json()
  const clientOf = (serviceId: string) =>
    servicesOf(portal).register({ serviceId, idTokenClaims: true, directoryAccess: true, scopes: scope.split(' ') })

  test('those of its own and of the organisation, in tokens, userinfo and the directory', async () => {
    const { serviceId, organizationId, person, give, browser } = await hospital()
    const other = await portal.service()
    await portal.offer(organizationId, other.serviceId)
    await portal.assign(person.accountId, organizationId, other.serviceId)
    const doctor = await declare(serviceId, 'doctor')
    await give(person.accountId, [doctor])
    await give(person.accountId, [await declare(other.serviceId, 'cook')], browser, other.serviceId)
    const clientId = await clientOf(serviceId)
    const tokens = await enter(await portal.signedIn(person), clientId)
    expect(decodeJwt(tokens.id_token)).toMatchObject({ roles: ['doctor'], organizations: [{ roles: ['doctor'] }] })
    expect(await userInfo(tokens.access_token)).toMatchObject({ roles: ['doctor'] })
    const machine = (await servicesOf(portal).tokenFor(clientId, { scope: 'directory' })).access_token
    const list = await portal
      .browser()
      .get(`/api/v1/organizations/${organizationId}/users`, { authorization: `Bearer ${machine}` })
    expect(list.json().users).toMatchObject([{ id: person.accountId, roles: ['doctor'] }])
  })

  test('a role that needs two factors only of a session with two', async () => {
    const { serviceId, person, give } = await hospital()
    await give(person.accountId, [
      await declare(serviceId, 'doctor', { needsTwoFactors: true }),
      await declare(serviceId, 'nurse'),
    ])
    const clientId = await clientOf(serviceId)
    const browser = await portal.signedIn(person)
    expect(await userInfo((await enter(browser, clientId)).access_token)).toMatchObject({ roles: ['nurse'] })
    await browser.post('/api/step-up/code', {})
    await browser.post('/api/step-up/code/verify', { code: await outboxOf(portal).codeSentTo(person.email) })
    expect(decodeJwt((await enter(browser, clientId)).id_token)).toMatchObject({ roles: ['doctor', 'nurse'] })
  })

  test('more than two kilobytes of them from userinfo alone, which the token says', async () => {
    const { serviceId, person, give } = await hospital()
    const keys = Array.from({ length: 45 }, (_, number) => `${'r'.repeat(45)}${number + 10}`)
    const ids: string[] = []
    for (const key of keys) ids.push(await declare(serviceId, key))
    const browser = await portal.signedIn(person)
    const clientId = await clientOf(serviceId)
    const rolesWith = async (count: number) => {
      await give(person.accountId, ids.slice(0, count))
      const tokens = await enter(browser, clientId)
      const { roles, organization } = decodeJwt(tokens.id_token) as {
        roles: string[]
        organization: { roles_omitted?: true }
      }
      const told = await userInfo(tokens.access_token)
      expect(told.organization.roles_omitted).toBeUndefined()
      return [roles.length, organization.roles_omitted, told.roles.length]
    }
    expect(await rolesWith(40)).toEqual([40, undefined, 40])
    expect(await rolesWith(45)).toEqual([0, true, 45])
  })

  test.each(['opaque', 'jwt'] as const)('all of them by introspection of a token for an API (%s)', async (apiToken) => {
    const { serviceId, organizationId, person, give } = await hospital()
    const ids: string[] = []
    for (let number = 10; number < 55; number++) ids.push(await declare(serviceId, `${'r'.repeat(45)}${number}`))
    await give(person.accountId, ids)
    const services = servicesOf(portal)
    const apiUri = `https://api.example/${serviceId}`
    const api = await services.register({ apiUri, apiToken })
    const caller = await services.register({ serviceId, apis: [apiUri] })
    const browser = await portal.signedIn(person)
    const asked = services.requestFor(caller, { resource: apiUri, organization_id: organizationId })
    const { url } = await browser.follow(await browser.get(asked))
    const { access_token: token } = await services.tokensAt(caller, url)
    const known = await services.introspect(api, token)
    expect([known.organization.id, known.organization.roles_omitted, known.roles.length]).toEqual([
      organizationId,
      undefined,
      45,
    ])
    if (apiToken === 'opaque') return
    expect(decodeJwt(token)).toMatchObject({ roles: [], organization: { roles_omitted: true } })
    // What is asked about is this very token, by its API, and as it is now.
    const [head, , signature] = token.split('.')
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'somebody' })).toString('base64url')
    for (const forged of [`${head}.${other}.${signature}`, `${token.slice(0, -4)}AAAA`])
      expect(await services.introspect(api, forged)).toMatchObject({ error: 'unsupported_token_type' })
    expect(await services.introspect(caller, token)).toEqual({ active: false })
    // An API may log the id of a token: it opens nothing.
    const { jti = '' } = decodeJwt(token)
    expect((await services.userInfo(jti)).statusCode).toBe(401)
    for (const client of [api, caller]) expect(await services.introspect(client, jti)).toEqual({ active: false })
    // A forged one costs those whom nobody knows no key.
    const signing = vi.spyOn(portal.system.keys, 'signing')
    expect(await services.introspect('unknown', token)).toMatchObject({ error: 'invalid_client' })
    await services.introspect(api, token)
    expect(signing).not.toHaveBeenCalled()
    signing.mockRestore()
    await give(person.accountId, ids.slice(0, 44))
    expect((await services.introspect(api, token)).roles).toHaveLength(44)
    await browser.submit('/logout', {})
    expect(await services.introspect(api, token)).toEqual({ active: false })
  })

  test('of a token for an API until its client revokes it, which no other one can', async () => {
    const { serviceId, organizationId, person, give } = await hospital()
    const ids: string[] = []
    for (let number = 10; number < 55; number++) ids.push(await declare(serviceId, `${'r'.repeat(45)}${number}`))
    await give(person.accountId, ids)
    const services = servicesOf(portal)
    const apiUri = `https://api.example/${serviceId}`
    const api = await services.register({ apiUri })
    const caller = await services.register({ serviceId, apis: [apiUri] })
    const browser = await portal.signedIn(person)
    const asked = services.requestFor(caller, { resource: apiUri, organization_id: organizationId })
    const { url } = await browser.follow(await browser.get(asked))
    const { access_token: token } = await services.tokensAt(caller, url)
    await services.revoke(api, token)
    expect(await services.introspect(api, token)).toMatchObject({ active: true })
    await services.revoke(caller, token)
    expect(await services.introspect(api, token)).toEqual({ active: false })
  })

  test('those of one with few are in it, and nobody asks about it', async () => {
    const { serviceId, organizationId, person, give } = await hospital()
    await give(person.accountId, [await declare(serviceId, 'doctor')])
    const services = servicesOf(portal)
    const apiUri = `https://api.example/${serviceId}`
    const api = await services.register({ apiUri })
    const caller = await services.register({ serviceId, apis: [apiUri] })
    const browser = await portal.signedIn(person)
    const asked = services.requestFor(caller, { resource: apiUri, organization_id: organizationId })
    const { url } = await browser.follow(await browser.get(asked))
    const { access_token: token } = await services.tokensAt(caller, url)
    expect(decodeJwt(token)).toMatchObject({ roles: ['doctor'] })
    expect(await services.introspect(api, token)).toMatchObject({ error: 'unsupported_token_type' })
  })

  test('those of one customer in the token, however many another one gives', async () => {
    const { serviceId, organizationId, person, give } = await hospital()
    const other = await hospital(0)
    await portal.offer(other.organizationId, serviceId)
    await portal.join(person.accountId, other.organizationId)
    await portal.assign(person.accountId, other.organizationId, serviceId)
    const ids: string[] = []
    for (let number = 10; number < 50; number++) ids.push(await declare(serviceId, `${'r'.repeat(45)}${number}`))
    await give(person.accountId, ids.slice(0, 20))
    const clientId = await servicesOf(portal).register({
      serviceId,
      idTokenClaims: true,
      scopes: ['openid', 'organizations'],
    })
    const browser = await portal.signedIn(person)
    const told = async () => {
      const address = servicesOf(portal).requestFor(clientId, { scope: 'openid organizations' })
      const { headers } = await browser.get(address, { accept: 'text/html' })
      const tokens = await servicesOf(portal).tokensAt(clientId, String(headers.location))
      const { organizations } = decodeJwt(tokens.id_token) as {
        organizations: { id: string; roles: string[]; roles_omitted?: true }[]
      }
      return [organizationId, other.organizationId].map((wanted) => {
        const { roles, roles_omitted } = organizations.find(({ id }) => id === wanted) ?? { roles: [] }
        return roles_omitted ? 'omitted' : roles.length
      })
    }
    for (const [count, expected] of [
      [0, 0],
      [20, 20],
      [21, 'omitted'],
      [40, 'omitted'],
    ] as const) {
      await other.give(person.accountId, ids.slice(0, count), other.browser, serviceId)
      expect(await told()).toEqual([20, expected])
    }
  })
})
