import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sample } from './access-table.ts'
import type { Client } from './client.ts'
import { type DeclaredRoute, declaredRoutes, send, sendSample } from './declared-routes.ts'
import { testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld, type Target, type World } from './world.ts'

let portal: TestApp
let routes: DeclaredRoute[]
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  routes = declaredRoutes(portal)
})
afterAll(() => portal?.close())

/**
 * Changing calls that need a permission and no fresh proof: undone by the next one, or without power over anybody. A new call
 * is here or declares `freshProof`. One of the own account declares it, or says why not; so does whatever changes what proves a
 * person, which every test portal watches (`findUnprovenCalls`).
 */
const ordinary = [
  'DELETE /api/notices/{id}',
  'DELETE /api/organizations/{id}/access-review/reviewers/{serviceId}/{accountId}',
  'DELETE /api/organizations/{id}/directory/setup-links/{setupId}',
  'POST /api/access-requests',
  'POST /api/access-requests/{id}/grant',
  'POST /api/access-requests/{id}/refuse',
  'POST /api/audit-streams/{id}/resend',
  'POST /api/audit-streams/{id}/resend-one',
  'POST /api/audit-streams/{id}/test',
  'POST /api/email-templates/{type}/preview',
  'POST /api/email-templates/{type}/test',
  'POST /api/email-templates/{type}/texts/publish',
  'POST /api/groups',
  'POST /api/groups/{id}/members',
  'POST /api/groups/{id}/members/remove',
  'POST /api/groups/{id}/people',
  'POST /api/invites/bulk/dry-run',
  'POST /api/notices',
  'POST /api/oidc-configs/test',
  'POST /api/organizations',
  'POST /api/organizations/{id}/access-review',
  'POST /api/organizations/{id}/access-review/decisions',
  'POST /api/organizations/{id}/access-review/reminder',
  'POST /api/organizations/{id}/access-review/reviewers',
  'POST /api/organizations/{id}/users/assign-role',
  'POST /api/organizations/{id}/users/mark-active',
  'POST /api/organizations/{id}/users/resend-invitations',
  'POST /api/organizations/{id}/users/revoke-role',
  'POST /api/saml-configs/check-certificates',
  'POST /api/saml-configs/fetch-metadata',
  'POST /api/saml-configs/read-metadata',
  'POST /api/saml-configs/reservations',
  'POST /api/saml-configs/test',
  'POST /api/saml-configs/{id}/domains/check',
  'POST /api/saml-configs/{id}/metadata/refresh',
  'POST /api/saml-setups/{id}/reject',
  'POST /api/saml-setups/{id}/revoke',
  'POST /api/service-roles',
  'POST /api/services',
  'POST /api/services/{id}/client/test-logout',
  'POST /api/services/{id}/client/try',
  'POST /api/services/{id}/roles/dry-run',
  'POST /api/system/failed-messages/{id}/resend',
  'POST /api/system/send-waiting',
  'POST /api/system/test-mail',
  'POST /api/users/{id}/last-active/{value}',
  'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles',
  'PUT /api/email-templates/{type}/texts',
  'PUT /api/groups',
  'PUT /api/notices',
  'PUT /api/organizations/{id}/brand',
  'PUT /api/service-categories',
  'PUT /api/service-roles',
  'PUT /api/services',
]

test('of every changing call that needs a session somebody has decided whether it is dangerous', () => {
  const undecided = routes.filter(
    ({ route }) => route.method !== 'GET' && !['public', 'machine', 'scim'].includes(route.access) && !route.freshProof,
  )
  expect(undecided.map(({ name }) => name).sort()).toEqual(ordinary)
})

/** Calls that are dangerous with this content; with that of the access table they are not. */
const dangerous: Record<string, (target: Target, world: World) => Sample | Promise<Sample>> = {
  'POST /api/users': () => ({
    body: {
      ...{ email: 'root@nordvik.example', firstName: 'New', lastName: 'Root', loginMethod: 'local', superUser: true },
      ...{ password: testPassword, confirmNewPassword: testPassword, unprovenReason: 'Known by phone' },
    },
  }),
  'PUT /api/users': ({ accountId }) => ({ body: { accountId, superUser: true } }),
  'POST /api/users/{userId}/organization/{organizationId}/service': ({ accountId, organizationId }) => ({
    params: { userId: accountId, organizationId },
    body: { userRole: 'organizationAdmin', services: [] },
  }),
  'DELETE /api/users/{userId}/organization/{organizationId}': ({ organizationId }, { people }) => ({
    params: { userId: people.organizationAdmin.accountId, organizationId },
  }),
  'POST /api/services/{serviceId}/{organizationId}/users': ({ serviceId, organizationId, email }) => ({
    params: { serviceId, organizationId },
    body: { email, userRole: 'serviceAdmin' },
  }),
  'DELETE /api/services/{serviceId}/{organizationId}/users/{accountId}': (
    { serviceId, organizationId },
    { people },
  ) => ({ params: { serviceId, organizationId, accountId: people.serviceAdmin.accountId } }),
  // Whatever of an admin is extended.
  'POST /api/organizations/{id}/users/extend': ({ organizationId }, { people }) => ({
    params: { id: organizationId },
    body: { accountIds: [people.organizationAdmin.accountId] },
  }),
  // Only where one of them administers the service, or is promised that.
  'POST /api/organizations/{id}/users/revoke-service': ({ organizationId, serviceId }, { people }) => ({
    params: { id: organizationId },
    body: { accountIds: [people.serviceAdmin.accountId], serviceId },
  }),
  'POST /api/organizations/{id}/users/assign-service': async ({ organizationId, invitationId }) => {
    const [promised, added] = [await portal.service(), await portal.service()]
    for (const { serviceId } of [promised, added]) await portal.offer(organizationId, serviceId)
    const promise = { invitationId, organizationId, serviceId: promised.serviceId, userRole: 'serviceAdmin' as const }
    await portal.system.db.insertInto('invitationServices').values(promise).execute()
    return { params: { id: organizationId }, body: { accountIds: [invitationId], serviceId: added.serviceId } }
  },
  'PUT /api/organizations': ({ organizationId }) => ({ body: { organizationId, loginMethod: 'local2FA' } }),
  'POST /api/invites': ({ organizationId }) => ({
    body: { organizationId, email: 'boss@nordvik.example', userRole: 'organizationAdmin' },
  }),
  'POST /api/invites/bulk': ({ organizationId }) => ({
    body: { organizationId, rows: [{ email: 'boss@nordvik.example', userRole: 'organizationAdmin' }] },
  }),
}

/** Dangerous for what the account has, and not for what the request says. */
const ofSomeAccounts = {
  'PUT /api/profile': 'server/features/profile/profile.test.ts',
  'PUT /api/profile/password': 'server/features/profile/change-password.test.ts',
  'POST /api/invites/join': 'server/features/invitations/membership-needs-consent.test.ts',
  'POST /api/invites/{id}/join': 'server/features/invitations/membership-needs-consent.test.ts',
}

async function oldSession() {
  const world = await buildWorld(portal)
  const root = await portal.signedIn(world.people.superUser)
  portal.advance(10 * 60 + 1)
  return { world, root, target: world.target('superUser', 'same') }
}

const isRefused = ({ statusCode, body }: Awaited<ReturnType<Client['get']>>) =>
  statusCode === 403 && JSON.parse(body).message === 'freshProofRequired'
const countEvents = async () =>
  (await portal.system.pool.query('select count(*)::integer as count from audit_events')).rows[0].count

test('ten minutes after a sign-in a dangerous call is refused, leaves no event, and works after a proof', async () => {
  const { root, target } = await oldSession()
  const always = routes.filter(({ route }) => route.freshProof === true)
  expect(always.length).toBeGreaterThan(30)
  const events = await countEvents()
  for (const declared of always)
    expect([declared.name, isRefused(await send(root, declared, target))]).toEqual([declared.name, true])
  expect(await countEvents()).toBe(events)
  expect((await root.post('/api/step-up/password', { password: testPassword })).statusCode).toBe(204)
  for (const declared of always)
    expect([declared.name, isRefused(await send(root, declared, target))]).toEqual([declared.name, false])
})

test('where the content decides, only the dangerous one is refused', async () => {
  const byContent = routes.filter(({ route }) => route.freshProof === 'loaded').map(({ name }) => name)
  expect(byContent.sort()).toEqual([...Object.keys(dangerous), ...Object.keys(ofSomeAccounts)].sort())
  for (const file of Object.values(ofSomeAccounts)) expect(readFileSync(file, 'utf8')).toContain('freshProofRequired')
  for (const declared of routes.filter(({ name }) => dangerous[name])) {
    const { root, world, target } = await oldSession()
    const sample = (await dangerous[declared.name]?.(target, world)) ?? {}
    const refused = isRefused(await sendSample(root, declared.route, sample))
    const plain = isRefused(await send(root, declared, target))
    expect([declared.name, refused, plain]).toEqual([declared.name, true, false])
    await root.post('/api/step-up/password', { password: testPassword })
    expect([declared.name, isRefused(await sendSample(root, declared.route, sample))]).toEqual([declared.name, false])
  }
})
