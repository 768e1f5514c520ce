import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { askCompany, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const { certificate } = selfSigned({ name: 'idp.acme.example' })
const form = {
  name: 'Acme',
  entityId: 'https://idp.acme.example/metadata',
  url: 'https://idp.acme.example/sso',
  domain: 'https://acme.example',
  certificate,
  active: false,
}
const oidcForm = {
  name: 'Acme',
  url: 'https://login.acme.example',
  domain: 'https://acme.example',
  clientId: 'portal',
  clientSecret: 'a secret of the company',
}
const reserve = async () => (await root.post('/api/saml-configs/reservations')).json()
const pathOf = (url: string) => new URL(url).pathname

describe('a super user gives an identity provider our addresses before anything is saved', () => {
  test('its administrators read our metadata before it is saved, and the configuration then has these addresses', async () => {
    const { reservation, serviceProvider } = await reserve()
    const metadata = await portal.browser().get(pathOf(serviceProvider.entityId))
    expect(metadata.statusCode).toBe(200)
    expect(metadata.body).toContain(serviceProvider.acsUrl)
    const { id } = (await root.post('/api/saml-configs', { ...form, reservation })).json()
    expect((await root.get(`/api/saml-configs/${id}`)).json().serviceProvider).toEqual(serviceProvider)
  })

  test('the same with OpenID Connect, whose secret opens under the reserved number', async () => {
    const { reservation, serviceProvider } = await reserve()
    const { id } = (await root.post('/api/oidc-configs', { ...oidcForm, reservation })).json()
    const saved = (await root.get(`/api/saml-configs/${id}`)).json()
    expect(saved).toMatchObject({ kind: 'oidc', serviceProvider, clientSecretSetAt: portal.now().toISOString() })
    // The same secret again changes nothing: it was read.
    const again = { id, clientSecret: oidcForm.clientSecret }
    expect((await root.put('/api/oidc-configs', again)).json().version).toBe(saved.version)
  })

  test('a reservation is used once, is kept when a form is refused, and ends', async () => {
    const { reservation } = await reserve()
    const create = () => root.post('/api/saml-configs', { ...form, reservation })
    expect((await root.post('/api/saml-configs', { ...form, certificate: 'none', reservation })).statusCode).toBe(422)
    expect((await create()).statusCode).toBe(201)
    expect((await create()).json().message).toBe('reservationOver')
    const late = await reserve()
    portal.advance(25 * 3600)
    root = await portal.signedIn(await portal.person({ superUser: true }))
    expect((await root.post('/api/saml-configs', { ...form, reservation: late.reservation })).statusCode).toBe(409)
    expect((await portal.browser().get(pathOf(late.serviceProvider.entityId))).statusCode).toBe(404)
  })
})

describe('a configuration that is made for an organisation', () => {
  const organizationOf = async (id: string) => (await root.get(`/api/organizations/${id}`)).json()

  test('is prepared for it, with an event of its own; how its people sign in stays as it was', async () => {
    const { organizationId } = await portal.organization()
    const { id } = (await root.post('/api/saml-configs', { ...form, organizationId })).json()
    expect(await organizationOf(organizationId)).toMatchObject({ samlConfigId: id, loginMethod: 'local' })
    const { name } = await organizationOf(organizationId)
    const { organizations } = (await root.get(`/api/saml-configs/${id}`)).json()
    expect(organizations).toEqual([{ organizationId, name, uses: false }])
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('targetId', '=', organizationId)
      .where('name', '=', 'updateOrganization')
      .execute()
    expect(events).toEqual([{ changes: [expect.objectContaining({ property: 'samlConfigId', newValue: String(id) })] }])
  })

  test('does not take the place of the one that it has, and needs an organisation that exists', async () => {
    const { organizationId } = await portal.organization()
    const { id } = (await root.post('/api/saml-configs', { ...form, organizationId })).json()
    await root.post('/api/oidc-configs', { ...oidcForm, organizationId })
    expect(await organizationOf(organizationId)).toMatchObject({ samlConfigId: id })
    const nowhere = '0190f3c8-7b1a-7000-8000-00000000dead'
    const refused = await root.post('/api/saml-configs', { ...form, organizationId: nowhere })
    expect(refused.json().issues).toEqual([{ path: 'organizationId', message: 'notFound' }])
  })
})

test('the list says how each configuration stands: its certificate, its last sign-in and the failures of a day', async () => {
  const acme = await company(portal)
  const { email } = await employee(portal, acme)
  const stateOf = async () => {
    const rows: { id: number }[] = (await root.get('/api/saml-configs')).json()
    return rows.find(({ id }) => id === acme.configId)
  }
  expect(await stateOf()).toMatchObject({ lastSignIn: null, failuresOfDay: 0, certificateEnd: expect.any(String) })
  const answer = async (changed: object) => {
    const asked = await askCompany(portal, portal.browser(), acme)
    await deliver(portal, acme, companyAnswer(acme, asked, { nameId: email }, changed), asked.relayState)
  }
  await answer({})
  const signedInAt = portal.now().toISOString()
  await answer({ audiences: ['https://elsewhere.example'] })
  expect(await stateOf()).toMatchObject({ lastSignIn: signedInAt, failuresOfDay: 1 })
  portal.advance(25 * 3600)
  root = await portal.signedIn(await portal.person({ superUser: true }))
  expect(await stateOf()).toMatchObject({ lastSignIn: signedInAt, failuresOfDay: 0 })
})
