import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '#contract/route.ts'
import type { SamlDomain } from '#contract/saml-configs/saml-domains.ts'
import { bankIdOf } from './bankid.ts'
import type { Client } from './client.ts'
import { declaredRoutes } from './declared-routes.ts'
import { directoryOf } from './directory.ts'
import { type DnsServer, dnsServer } from './dns-server.ts'
import { factorsOf } from './factors.ts'
import { outboxOf } from './outbox.ts'
import { type TestApp, testApp } from './test-app.ts'

// A save without changes records no event and raises no version, so that other open forms stay valid. Calls that take back
// what their GET gave: takes-back.test.ts and every-field.test.ts. Refused calls: access.test.ts.

let portal: TestApp
let root: Client
let dns: DnsServer
beforeAll(async () => {
  dns = await dnsServer()
  portal = await testApp({ DNS_SERVERS: dns.address })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(async () => {
  dns.close()
  await portal?.close()
})

interface Save {
  /** Creates the entity. */
  send: (changed: boolean) => ReturnType<Client['put']>
  /** Of the row; without it the thing has no version. */
  version?: () => Promise<number>
}

const versionOf = async (table: string, column: string, id: string | number): Promise<number> =>
  (await portal.system.pool.query(`select version from ${table} where ${column} = $1`, [id])).rows[0].version

async function member() {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 5)
  const person = await portal.person({ firstName: 'Ada', lastName: 'Berg' })
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  return { ...person, organizationId, serviceId, version: () => versionOf('users', 'account_id', person.accountId) }
}

/** An admin and a member; the member is in a group. */
async function grouped() {
  const { accountId, email, organizationId } = await member()
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const { groupId } = (await browser.post('/api/groups', { organizationId, name: 'Ekonomi' })).json()
  await browser.post(`/api/groups/${groupId}/members`, { accountIds: [accountId] })
  return { admin: browser, adminId: admin.accountId, accountId, email, groupId }
}

/** What each call that saves is sent: who does it, with the name of the call. */
const saves: Record<string, Record<string, () => Promise<Save>>> = {
  'PUT /api/organizations/{id}/sign-in-rules': {
    'a super user': async () => {
      const { organizationId } = await portal.organization()
      const none = { secondFactors: null, strongAdminsFrom: null, sessionMaxHours: null, maxPasswordAgeDays: null }
      return {
        send: (changed) =>
          root.put(`/api/organizations/${organizationId}/sign-in-rules`, {
            ...none,
            sessionIdleMinutes: changed ? 15 : null,
          }),
      }
    },
  },
  'PUT /api/profile/factors/usual': {
    'the person': async () => {
      const person = await portal.person()
      const browser = await portal.signedIn(person)
      await browser.post('/api/step-up/code', {})
      await browser.post('/api/step-up/code/verify', { code: await outboxOf(portal).codeSentTo(person.email) })
      return { send: (changed) => browser.put('/api/profile/factors/usual', { usual: changed ? 'email' : null }) }
    },
  },
  'PUT /api/profile/factors/mail': {
    'the person': async () => {
      const person = await portal.person({ ssn: bankIdOf(portal).newNumber(), ssnProof: 'bankid' })
      const { browser } = await factorsOf(portal).giveApp(person)
      return { send: (changed) => browser.put('/api/profile/factors/mail', { on: !changed }) }
    },
  },
  'PUT /api/service-categories': {
    'a super user': async () => {
      for (const category of ['Care', 'School'])
        await root.put('/api/services', { serviceId: (await portal.service()).serviceId, category })
      const present = (await root.get('/api/service-categories')).json()
      return {
        send: (changed) =>
          root.put('/api/service-categories', { categories: changed ? present.toReversed() : present }),
      }
    },
  },
  'PUT /api/profile/passkeys/{id}': {
    'the person': async () => {
      const { accountId, email } = await portal.person()
      const { db } = portal.system
      const now = portal.now()
      const bytes = (fill: number) => Buffer.alloc(32, fill)
      await db
        .insertInto('passkeyHolders')
        .values({ accountId, userHandle: bytes(1) })
        .execute()
      const facts = { discoverable: true, verified: true, onTheWay: false, backupEligible: true, backedUp: true }
      await db
        .insertInto('passkeys')
        .values({
          ...{ id: accountId, accountId, credentialId: bytes(2), publicKey: bytes(3), rpId: 'portal.test', counter: 0 },
          ...{ ...facts, aaguid: accountId, transports: sql`'{}'`, createdAmr: sql`'{}'` },
          ...{ name: 'Phone', createdAt: now, createdBrowser: '' },
        })
        .execute()
      const browser = await portal.signedIn({ accountId, email })
      const call = `/api/profile/passkeys/${accountId}`
      return { send: (changed) => browser.put(call, { name: changed ? 'Old phone' : 'Phone' }) }
    },
  },
  'POST /api/saml-configs/{id}/domains/confirm': {
    'a super user': async () => {
      const call = `/api/saml-configs/${await portal.samlConfig()}/domains`
      for (const domain of ['same.example', 'new.example']) await root.post(call, { domain })
      const confirm = (domain: string) => root.post(`${call}/confirm`, { domain, reason: 'seen' })
      await confirm('same.example')
      return { send: (changed) => confirm(changed ? 'new.example' : 'same.example') }
    },
  },
  'POST /api/saml-configs/{id}/domains/check': {
    'a super user': async () => {
      const call = `/api/saml-configs/${await portal.samlConfig()}/domains`
      for (const domain of ['proven.example', 'late.example']) {
        const domains: SamlDomain[] = (await root.post(call, { domain })).json()
        for (const { recordName, recordValue } of domains) dns.records.set(recordName, [recordValue])
      }
      const check = (domain: string) => root.post(`${call}/check`, { domain })
      await check('proven.example')
      return { send: (changed) => check(changed ? 'late.example' : 'proven.example') }
    },
  },
  'PUT /api/email-templates/{type}/texts': {
    'a super user': async () => {
      const place = '/api/email-templates/login-code/texts'
      const form = { language: 'fi', subject: 'Code', body: '{{code}}', button: '' }
      const { version } = (await root.put(place, form)).json()
      return {
        send: (changed) => root.put(place, { ...form, version, subject: changed ? 'Your code' : 'Code' }),
      }
    },
  },
  'POST /api/email-templates/{type}/texts/publish': {
    'a super user': async () => {
      const place = '/api/email-templates/login-code/texts'
      const draft = { language: 'sv', subject: 'Code', body: '{{code}}', button: '' }
      await root.put(place, draft)
      // Only one of these languages has a draft.
      return { send: (changed) => root.post(`${place}/publish`, { language: changed ? 'sv' : 'en' }) }
    },
  },
  'POST /api/users/{userId}/organization/{organizationId}/service': {
    'an admin, of a member': async () => {
      const { accountId, organizationId, serviceId, version } = await member()
      const admin = await portal.person()
      await portal.join(admin.accountId, organizationId, 'organizationAdmin')
      const browser = await portal.signedIn(admin)
      return {
        send: (changed) =>
          browser.post(`/api/users/${accountId}/organization/${organizationId}/service`, {
            userRole: 'regular',
            services: [{ serviceId, userRole: changed ? 'serviceAdmin' : 'regular' }],
          }),
        version,
      }
    },
    'an admin, of an invitation': async () => {
      const { organizationId, serviceId } = await member()
      await root.post('/api/invites', { email: `new@${serviceId}.example`, organizationId })
      const { rows } = await portal.system.pool.query(
        'select invitation_id as id from invitations where organization_id = $1',
        [organizationId],
      )
      const [{ id }] = rows
      return {
        send: (changed) =>
          root.post(`/api/users/${id}/organization/${organizationId}/service`, {
            userRole: changed ? 'organizationAdmin' : 'regular',
            services: [],
          }),
        version: () => versionOf('invitations', 'invitation_id', id),
      }
    },
  },
  'POST /api/users/{userId}/organization/{organizationId}/roles': {
    'a super user': async () => {
      const { accountId, organizationId } = await member()
      const call = `/api/users/${accountId}/organization/${organizationId}/roles`
      return { send: (changed) => root.post(call, { roles: changed ? [{ role: 'reader' }] : [] }) }
    },
  },
  'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles': {
    'a super user, of a member': async () => {
      const { accountId, organizationId, serviceId } = await member()
      const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Läkare' })).json()
      const call = `/api/users/${accountId}/organization/${organizationId}/service/${serviceId}/roles`
      return { send: (changed) => root.post(call, { roleIds: changed ? [roleId] : [] }) }
    },
  },
  'PUT /api/services/{id}/roles': {
    'a super user, all of them': async () => {
      const { serviceId } = await portal.service()
      const call = `/api/services/${serviceId}/roles`
      const roles = [{ key: 'doctor', nameSv: 'Läkare' }]
      await root.put(call, { roles })
      return {
        send: (changed) => root.put(call, { roles: changed ? [{ ...roles[0], nameEn: 'Doctor' }] : roles }),
        version: async () => (await root.get(call)).json().version,
      }
    },
  },
  'PUT /scim/v2/Groups/{id}': {
    'a directory': async () => {
      const { call, browser, created, url } = await directoryOf(portal)
      const sent = { displayName: 'Surgeons', externalId: 'group-1', members: [{ value: (await created()).id }] }
      const { id } = (await call('POST', '/Groups', sent)).json()
      await browser.put(`${url}/groups/${id}`, { becomes: 'role', role: 'reader' })
      return {
        send: (changed) => call('PUT', `/Groups/${id}`, { ...sent, ...(changed && { members: [] }) }),
        version: () => versionOf('scim_groups', 'scim_group_id', id),
      }
    },
  },
  'PUT /api/organizations/{id}/directory/groups/{scimGroupId}': {
    'an admin': async () => {
      const { call, browser, url } = await directoryOf(portal)
      const { id } = (await call('POST', '/Groups', { displayName: 'Surgeons' })).json()
      return {
        send: (changed) =>
          browser.put(`${url}/groups/${id}`, changed ? { becomes: 'role', role: 'reader' } : { becomes: 'nothing' }),
      }
    },
  },
  'PUT /scim/v2/Users/{id}': {
    'a directory': async () => {
      const { call, user } = await directoryOf(portal)
      const sent = user()
      const { id } = (await call('POST', '/Users', sent)).json()
      return {
        send: (changed) => call('PUT', `/Users/${id}`, { ...sent, ...(changed && { name: { givenName: 'Eva' } }) }),
        version: () => versionOf('scim_users', 'scim_user_id', id),
      }
    },
  },
  'POST /api/groups/{id}/members': {
    'an admin': async () => {
      const { admin, accountId, groupId } = await grouped()
      return {
        send: (changed) =>
          admin.post(`/api/groups/${groupId}/members`, {
            accountIds: [accountId],
            ...(changed && { validUntil: '2030-12-31' }),
          }),
      }
    },
  },
  'POST /api/groups/{id}/admins': {
    'an admin': async () => {
      const { admin, email, groupId } = await grouped()
      const name = (validUntil: string | null) => admin.post(`/api/groups/${groupId}/admins`, { email, validUntil })
      await name(null)
      return { send: (changed) => name(changed ? '2030-12-31' : null) }
    },
  },
  'POST /api/services/{serviceId}/{organizationId}/owners': {
    'a super user': async () => {
      const { email, organizationId, serviceId } = await member()
      const name = (validUntil: string | null) =>
        root.post(`/api/services/${serviceId}/${organizationId}/owners`, { email, validUntil })
      await name(null)
      return { send: (changed) => name(changed ? '2030-12-31' : null) }
    },
  },
  'POST /api/groups/{id}/members/remove': {
    'an admin': async () => {
      const { admin, accountId, adminId, groupId } = await grouped()
      return {
        send: (changed) =>
          admin.post(`/api/groups/${groupId}/members/remove`, { accountIds: [changed ? accountId : adminId] }),
      }
    },
  },
  'POST /api/users/{id}/last-active/{value}': {
    'an admin': async () => {
      const { accountId, version } = await member()
      const before = portal.now().toISOString()
      return {
        send: (changed) =>
          root.post(`/api/users/${accountId}/last-active/${changed ? '2026-01-01T00:00:00.000Z' : before}`),
        version,
      }
    },
  },
}

/** A new password is a change, even where it is the one before: what else was open is signed out. */
const alwaysChanging = ['PUT /api/profile/password']

/** Calls that change something there is, so that a request may ask for what it is already. */
function mayChangeNothing({ method, audit, takesBack }: Route): boolean {
  if (method === 'PUT') return audit !== 'none' && !takesBack
  return typeof audit === 'object' && 'atMost' in audit && audit.atMost.some((name) => name.startsWith('update'))
}

test('every call that may change nothing is in this table', () => {
  const calls = declaredRoutes(portal).filter(({ route }) => mayChangeNothing(route))
  const missing = calls.map(({ name }) => name).filter((name) => !alwaysChanging.includes(name) && !(name in saves))
  expect(missing).toEqual([])
  expect(calls.length).toBeGreaterThanOrEqual(Object.keys(saves).length)
})

const cases = Object.entries(saves).flatMap(([call, byPerson]) =>
  Object.entries(byPerson).map(([person, prepare]) => ({ call, person, prepare })),
)

test.each(cases)(
  '$call by $person: saving without changes records nothing, a change records one event',
  async ({ prepare }) => {
    const { send, version } = await prepare()
    const state = async () => ({
      version: (await version?.()) ?? 0,
      events: Number((await portal.system.pool.query('select count(*) as count from audit_events')).rows[0].count),
    })
    const before = await state()
    expect((await send(false)).statusCode).toBeLessThan(300)
    expect(await state()).toEqual(before)
    expect((await send(true)).statusCode).toBeLessThan(300)
    expect(await state()).toEqual({ version: version ? before.version + 1 : 0, events: before.events + 1 })
  },
)
