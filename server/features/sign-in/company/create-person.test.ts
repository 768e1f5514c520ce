import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { attempt, type Outcome, refused } from '#test/saml/attempt.ts'
import { type Asked, askCompany, type Company, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_CREATED_AT_SIGN_IN: '5/3600' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const change = (organizationId: string, input: object) => root.put('/api/organizations', { organizationId, ...input })

/** A customer whose people are created, with these services. */
async function open(services: object[] = []): Promise<Company> {
  const of = await company(portal)
  const answer = await change(of.organizationId, { createAtSignIn: true, services })
  expect(answer.json()).toMatchObject({ createAtSignIn: true })
  return of
}
let service = 0
const newService = async () =>
  (await root.post('/api/services', { name: `Service ${++service}`, url: 'https://service.example' })).json().serviceId

type Subject = Parameters<typeof companyAnswer>[2]
const attemptAs = (of: Company, subject: Subject): Promise<Outcome> =>
  attempt(portal, { company: of, craft: (asked: Asked) => companyAnswer(of, asked, subject) })
const refusedAsUnknown = refused(/no such person/)
const userAt = async (email: string) =>
  (await root.get(`/api/users?searchQuery=${encodeURIComponent(email)}`)).json().items[0]
const newest = async ({ configId }: Company) => (await root.get(`/api/saml-configs/${configId}/sign-ins`)).json()[0]

test('someone new becomes a regular member with the chosen services, and is signed in', async () => {
  const [wages, archive, full] = [await newService(), await newService(), await newService()]
  const acme = await open([
    { serviceId: wages, atFirstSignIn: true },
    { serviceId: archive },
    { serviceId: full, maxNumberOfUsers: 1, atFirstSignIn: true },
  ])
  const first = await employee(portal, acme)
  await portal.assign(first.accountId, acme.organizationId, full)
  const email = `new@${acme.mailDomain}`
  const attributes = { mail: email, givenName: 'Åsa', sn: 'Öberg', personnummer: '199908072391' }
  expect(await attemptAs(acme, { nameId: 'x', attributes })).toMatchObject({ signedInAs: email, page: '/' })
  expect(await userAt(email)).toMatchObject({
    firstName: 'Åsa',
    lastName: 'Öberg',
    pending: false,
    loginMethod: 'saml',
    organizations: [{ organizationId: acme.organizationId, userRole: 'regular' }],
    services: [{ serviceId: wages, userRole: 'regular' }],
  })
  // A company could take the personal number of anyone.
  const { rows } = await portal.system.pool.query('select ssn_sealed from users where email = $1', [email])
  expect(rows).toEqual([{ ssn_sealed: null }])
  expect(await newest(acme)).toMatchObject({ email, failure: null, created: true })
  await portal.seal()
  const { items } = (await root.get(`/api/audit-events?targetIdFilter=${(await userAt(email)).accountId}`)).json()
  const created = items.find(({ name }: { name: string }) => name === 'createUser')
  expect(created).toMatchObject({ actor: email, target: email })
  const { changes } = (await root.get(`/api/audit-events/${created.id}`)).json()
  expect(changes).toContainEqual({ property: 'services', previousValue: null, newValue: 'Service 1' })
  expect(changes).toContainEqual({ property: 'servicesWithoutSeat', previousValue: null, newValue: 'Service 3' })

  expect(await attemptAs(acme, { nameId: email })).toMatchObject({ signedInAs: email })
  expect(await newest(acme)).toMatchObject({ failure: null, created: false })
})

test('nobody is created where the organisation does not want it, which is so by default', async () => {
  const acme = await company(portal)
  const subject = { nameId: `new@${acme.mailDomain}` }
  expect(await attemptAs(acme, subject)).toEqual(refusedAsUnknown)
  await change(acme.organizationId, { createAtSignIn: true })
  await change(acme.organizationId, { loginMethod: 'local', samlConfigId: null })
  await change(acme.organizationId, { loginMethod: 'saml', samlConfigId: acme.configId })
  expect(await attemptAs(acme, subject)).toEqual(refusedAsUnknown)
})

test('nobody is created outside the domains of the configuration', async () => {
  const [acme, other] = [await open(), await open()]
  for (const email of [`a@${other.mailDomain}`, `a@not${acme.mailDomain}`, 'a@gmail.example'])
    expect(await attemptAs(acme, { nameId: email })).toEqual(refusedAsUnknown)
  await root.post(`/api/saml-configs/${acme.configId}/domains`, { domain: 'acme.example' })
  const email = 'a@acme.example'
  expect(await attemptAs(acme, { nameId: email })).toEqual(refusedAsUnknown)
  await root.post(`/api/saml-configs/${acme.configId}/domains/confirm`, { domain: 'acme.example', reason: 'seen' })
  expect(await attemptAs(acme, { nameId: email })).toMatchObject({ signedInAs: email })
})

test('an account that exists is neither taken over nor added to the organisation', async () => {
  const acme = await open()
  for (const more of [{}, { superUser: true }]) {
    const person = await portal.person({ email: `own${JSON.stringify(more).length}@${acme.mailDomain}`, ...more })
    expect(await attemptAs(acme, { nameId: person.email })).toEqual(refusedAsUnknown)
    expect(await userAt(person.email)).toMatchObject({ loginMethod: 'local', organizations: [] })
  }
})

test('the personal number of someone else leads to no account of theirs', async () => {
  const [acme, other] = [await open(), await company(portal)]
  const victim = await employee(portal, other, { ssn: '199908072391' })
  const email = `thief@${acme.mailDomain}`
  const attributes = { mail: email, personnummer: '199908072391' }
  expect(await attemptAs(acme, { nameId: email, attributes })).toMatchObject({ signedInAs: email })
  expect((await userAt(victim.email)).organizations).toMatchObject([{ organizationId: other.organizationId }])
})

test('someone with an invitation of the organisation accepts that', async () => {
  const acme = await open()
  const email = `invited@${acme.mailDomain}`
  await root.post('/api/invites', { email, organizationId: acme.organizationId })
  expect(await attemptAs(acme, { nameId: email })).toEqual(refused(/an invitation waits/))
})

// Each time the two meet at other steps.
test.for([1, 2, 3, 4, 5])('someone who signs in twice at the same time gets one account, time %i', async () => {
  const acme = await open()
  const email = `twice@${acme.mailDomain}`
  const answers = await Promise.all(
    [portal.browser(), portal.browser()].map(async (browser) => {
      const asked = await askCompany(portal, browser, acme)
      return { browser, asked, answer: companyAnswer(acme, asked, { nameId: email }) }
    }),
  )
  const delivered = await Promise.all(
    answers.map(async ({ browser, asked, answer }) =>
      browser.follow(await deliver(portal, acme, answer, asked.relayState)),
    ),
  )
  expect(delivered.map(({ url }) => url)).toEqual(['/', '/'])
  const { rows } = await portal.system.pool.query('select count(*)::int as count from users where email = $1', [email])
  expect(rows).toEqual([{ count: 1 }])
})

test('a flood of new people ends at the limit, and the trace says so; those who are known sign in as before', async () => {
  const acme = await open()
  for (let one = 0; one < 5; one++)
    expect((await attemptAs(acme, { nameId: `flood${one}@${acme.mailDomain}` })).page).toBe('/')
  expect(await attemptAs(acme, { nameId: `flood5@${acme.mailDomain}` })).toEqual(refused(/too many people/))
  expect(await newest(acme)).toMatchObject({ failure: 'tooManyCreated', created: false })
  expect((await attemptAs(acme, { nameId: `flood0@${acme.mailDomain}` })).page).toBe('/')
})

test('of two organisations with one configuration only one can create people', async () => {
  const acme = await open()
  const form = { name: 'Second', loginMethod: 'saml', samlConfigId: acme.configId }
  const second = (await root.post('/api/organizations', form)).json()
  const refusedChange = await change(second.organizationId, { createAtSignIn: true })
  expect([refusedChange.statusCode, refusedChange.json().message]).toEqual([409, 'createAtSignInTaken'])
})

test('an organisation admin cannot switch it on', async () => {
  const acme = await company(portal)
  const admin = await portal.person()
  await portal.join(admin.accountId, acme.organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const answer = await browser.put('/api/organizations', { organizationId: acme.organizationId, createAtSignIn: true })
  expect([403, 404]).toContain(answer.statusCode)
})
