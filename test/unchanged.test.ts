import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'

// A save without changes records no event and raises no version, so that other open forms stay valid.

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

interface Save {
  /** Creates the entity. */
  send: (changed: boolean) => ReturnType<Client['put']>
  /** The table and row with the version. */
  version: () => Promise<number | undefined>
  status: number
}

const versionOf = async (table: 'users' | 'organizations' | 'services', column: string, id: string) =>
  (await portal.system.pool.query(`select version from ${table} where ${column} = $1`, [id])).rows[0]?.version

async function member() {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 5)
  const person = await portal.person({ firstName: 'Ada', lastName: 'Berg' })
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  return { ...person, organizationId, serviceId, version: () => versionOf('users', 'account_id', person.accountId) }
}

const saves: Record<string, () => Promise<Save>> = {
  'a super user saves a person': async () => {
    const { accountId, organizationId, serviceId, version } = await member()
    const organizations = [{ organizationId, userRole: 'regular' }]
    const services = [{ organizationId, serviceId, userRole: 'regular' }]
    const same = { accountId, firstName: 'Ada', lastName: 'Berg', ssn: null, phoneNumber: null, superUser: false }
    const send: Save['send'] = (changed) =>
      root.put('/api/users', { ...same, organizations, services, lastName: changed ? 'Borg' : 'Berg' })
    return { send, version, status: 200 }
  },
  'a person saves the own account': async () => {
    const person = await member()
    const own = await portal.signedIn(person, testPassword)
    return {
      send: (changed) => own.put('/api/profile', { firstName: changed ? 'Ärla' : 'Ada', lastName: 'Berg' }),
      version: person.version,
      status: 200,
    }
  },
  'a super user saves an organisation': async () => {
    const { organizationId, serviceId } = await member()
    const same = { organizationId, organizationNumber: '', loginMethod: 'local', samlConfigId: null }
    const services = (seats: number) => [{ serviceId, maxNumberOfUsers: seats }]
    const [{ name }] = (
      await portal.system.pool.query('select name from organizations where organization_id = $1', [organizationId])
    ).rows
    return {
      send: (changed) => root.put('/api/organizations', { ...same, name, services: services(changed ? 6 : 5) }),
      version: () => versionOf('organizations', 'organization_id', organizationId),
      status: 200,
    }
  },
  'a super user saves a service': async () => {
    const { serviceId, name } = await portal.service()
    return {
      send: (changed) => root.put('/api/services', { serviceId, name: changed ? 'Journalen' : name }),
      version: () => versionOf('services', 'service_id', serviceId),
      status: 200,
    }
  },
  'an admin saves role and services of a member': async () => {
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
      status: 204,
    }
  },
  'an admin saves role and services of an invitation': async () => {
    const { organizationId, serviceId } = await member()
    await root.post('/api/invites', { email: `new@${serviceId}.example`, organizationId })
    const { rows } = await portal.system.pool.query(
      'select invitation_id as id from invitations where organization_id = $1',
      [organizationId],
    )
    const [{ id }] = rows
    const version: Save['version'] = async () =>
      (await portal.system.pool.query('select version from invitations where invitation_id = $1', [id])).rows[0].version
    return {
      send: (changed) =>
        root.post(`/api/users/${id}/organization/${organizationId}/service`, {
          userRole: changed ? 'organizationAdmin' : 'regular',
          services: [],
        }),
      version,
      status: 204,
    }
  },
  'an admin says when a person was last active': async () => {
    const { accountId, version } = await member()
    const before = portal.now().toISOString()
    return {
      send: (changed) =>
        root.post(`/api/users/${accountId}/last-active/${changed ? '2026-01-01T00:00:00.000Z' : before}`),
      version,
      status: 204,
    }
  },
}

test.each(Object.entries(saves))(
  '%s: saving without changes records nothing, a change records one event',
  async (_, prepare) => {
    const { send, version, status } = await prepare()
    const events = async () =>
      Number((await portal.system.pool.query('select count(*) as count from audit_events')).rows[0].count)
    const before = { version: (await version()) ?? 0, events: await events() }
    expect((await send(false)).statusCode).toBe(status)
    expect({ version: await version(), events: await events() }).toEqual(before)
    expect((await send(true)).statusCode).toBe(status)
    expect({ version: await version(), events: await events() }).toEqual({
      version: before.version + 1,
      events: before.events + 1,
    })
  },
)
