import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import { messageCell } from '#server/platform/messages/outbox.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import type { Client } from './client.ts'
import { type DeclaredRoute, declaredRoutes, requestFor, sendSample } from './declared-routes.ts'
import { type ManagedNoun, managedNouns } from './managed-nouns.ts'
import type { Person } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'
import { buildWorld, type Target, type World } from './world.ts'

// Customers never learn who operates the portal: a super user does everything once in an organisation, and then every
// answer that its people can get, and every mail to them, is searched for the super user.

const operator = {
  email: 'zelda.operatorsson@operations.example',
  firstName: 'Zelda',
  lastName: 'Operatorsson',
  phoneNumber: '+46701740699',
}

let portal: TestApp
let world: World
let root: Client
let rootId: string
let routes: DeclaredRoute[]

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60', LIMIT_CLIENT_ERRORS: '100000/60' })
  world = await buildWorld(portal)
  routes = declaredRoutes(portal).filter(({ route }) => !route.url.startsWith('/dev/'))
  const person = await portal.person({ ...operator, superUser: true, preferredLanguage: 'en' })
  rootId = person.accountId
  root = await portal.signedIn(person)
})
afterAll(() => portal?.close())

/** Which of the operator's data a text holds, or that it says of others that they operate the portal. */
const namedIn = (text: string) =>
  [
    rootId,
    ...Object.values(operator),
    '"property":"superUser"',
    '"property":"unprovenReason"',
    '"superUser":true',
  ].filter((mark) => text.toLowerCase().includes(mark.toLowerCase()))

/** About the super user's own account alone. */
const ofOneself =
  /\/api\/profile|\/api\/step-up|^POST \/logout|\/invites\/(join|decline|\{id\}\/(join|decline))$|\/service-preferences\//
/** They need something that belongs to no customer: a test of their own shows each. */
const ofNoCustomer =
  /\/audit-streams\/|\/erasure$|\/saml-setups\/\{id\}|\/metadata\/(refresh|confirm)$|\/domains\/(check|confirm|remove)$|\/oidc-configs(\/test)?$|\/client($|\/)|^POST \/api\/access-requests$|fetch-metadata$|\/failed-messages\/{id}/
/** Of these kinds there is none here to read or change. */
const ofNothing = Object.values<ManagedNoun>(managedNouns)
  .filter(({ of }) => !of)
  .flatMap(({ url }) => [`GET ${url}/{id}`, `PUT ${url}`, `DELETE ${url}/{id}`])
/** A review has just begun when its reviewers would be reminded, and is over when things are removed. */
const ofAReview = /\/access-review\/(reminder$|reviewers\/)/
/** Nobody there has lost a factor: `doTheRest` helps somebody who has. */
const ofARecovery = /\/users\/\{id\}\/recovery/
/** No service there declares roles: `doTheRest` hands one out. */
const ofARole = /^(PUT|DELETE) \/api\/service-roles|\/users\/(assign|revoke)-role$/
/** Only a directory with its token, or about somebody whom it has sent. */
const ofADirectory = /\/scim\/v2\/|\/directory\/(tokens\/\{tokenId\}|setup-links\/\{setupId\}|people\/|groups\/)/
const isOfNoCustomer = (call: string) =>
  ofADirectory.test(call) ||
  ofNoCustomer.test(call) ||
  ofAReview.test(call) ||
  ofARecovery.test(call) ||
  ofARole.test(call) ||
  ofNothing.includes(call)

/** What nothing else here needs: a person with a service and a request for another one, and a configuration. */
async function spare({ organizationId }: Target, isHolder: boolean) {
  const person = await portal.person({ firstName: 'Gone', lastName: 'Soon' })
  const { accountId } = person
  await portal.join(accountId, organizationId)
  const [{ serviceId }, wanted] = [await portal.service(), await portal.service()]
  for (const one of [serviceId, wanted.serviceId]) await portal.offer(organizationId, one)
  if (isHolder) await portal.assign(accountId, organizationId, serviceId)
  const request = { requestId: newId(), accountId, organizationId, serviceId: wanted.serviceId }
  await portal.system.db
    .insertInto('accessRequests')
    .values({ ...request, createdAt: portal.now() })
    .execute()
  const groupId = newId()
  await portal.system.db
    .insertInto('groups')
    .values({ groupId, organizationId, name: `Gone ${accountId}` })
    .execute()
  for (const part of [{ groupId }, { serviceId }]) await portal.giveScoped(accountId, organizationId, part)
  return {
    ...person,
    groupId,
    serviceId,
    requestId: request.requestId,
    samlConfigId: await portal.samlConfig('https://gone.example'),
  }
}

async function bodyOf({ name, known }: DeclaredRoute, target: Target): Promise<unknown> {
  if (!/\/access-review\/(decisions|at-once)$/.test(name)) return known?.sample(target).body
  const { items } = (await root.get(`/api/organizations/${target.organizationId}/access-review?all=true`)).json()
  const people = items as { accountId: string; rows: { rowId: string }[] }[]
  const idsOf = (some: typeof people) => some.flatMap(({ rows }) => rows.map(({ rowId }) => rowId))
  if (name.endsWith('/decisions')) return { rowIds: idsOf(people), from: null, decision: 'keep' }
  const { accountId = '' } = people[0] ?? {}
  return { accountId, rowIds: idsOf(people.slice(0, 1)) }
}

/** Every call that changes something, what removes things last. @returns what was refused */
async function doEverything(): Promise<string[]> {
  const here = { ...world.target('organizationAdmin', 'same') }
  const rank = ({ route, name }: DeclaredRoute) => (/remove|revoke/.test(name) || route.method === 'DELETE' ? 1 : 0)
  const deeds = routes
    .filter(
      ({ route, known, name }) => route.method !== 'GET' && typeof known?.expect === 'object' && !ofOneself.test(name),
    )
    .sort((one, other) => rank(one) - rank(other))
  const refused: string[] = []
  for (const declared of deeds) {
    const { name, known, route } = declared
    const isOnce = /^DELETE |\/refuse$|^POST \/api\/(services\/\{serviceId\}|groups\/\{id\}\/people)/.test(name)
    // The organisation itself is read afterwards, so another one goes.
    const target =
      name === 'DELETE /api/organizations/{id}'
        ? (await buildWorld(portal)).target('organizationAdmin', 'own')
        : isOnce
          ? { ...here, ...(await spare(here, route.method === 'DELETE')) }
          : here
    const { statusCode, body } = await sendSample(root, route, {
      ...known?.sample(target),
      body: await bodyOf(declared, target),
    })
    if (statusCode >= 400) refused.push(`${name} ${statusCode} ${body.slice(0, 120)}`)
  }
  return refused
}

/** What the calls of the table leave out. */
async function doTheRest(invited: Person): Promise<void> {
  const { organizationId } = world.home
  const { accountId } = await portal.person({ firstName: 'Added', lastName: 'Directly' })
  const lost = await portal.person({ firstName: 'Lost', lastName: 'Phone' })
  await portal.join(lost.accountId, organizationId)
  const app = { accountId: lost.accountId, secretSealed: Buffer.from('sealed'), lastStep: 0, createdAt: portal.now() }
  await portal.system.db.insertInto('authenticatorApps').values(app).execute()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  await portal.assign(lost.accountId, organizationId, serviceId)
  const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Doctor' })).json()
  const handOut = { accountIds: [lost.accountId], roleId }
  const deeds = [
    () => root.put('/api/service-roles', { roleId, nameSv: 'Physician' }),
    () => root.post(`/api/organizations/${organizationId}/users/assign-role`, handOut),
    () => root.post(`/api/organizations/${organizationId}/users/revoke-role`, handOut),
    () => root.delete(`/api/service-roles/${roleId}`),
    () => root.post(`/api/users/${lost.accountId}/recovery`, { reason: 'The phone is lost' }),
    () => root.put('/api/users', { accountId, organizations: [{ organizationId, userRole: 'regular' }] }),
    // A member who is to operate the portal: the organisation knows the person, not the role.
    () => root.put('/api/users', { accountId, superUser: true }),
    () => root.post('/api/invites', { email: invited.email, organizationId, message: 'Welcome' }),
    () => root.post('/api/notices', { message: 'Closed', startsOn: '2020-01-01', organizationId }),
    () => root.get(`/api/organizations/${organizationId}/access-review/report`),
    () => root.get(`/api/organizations/${organizationId}/users/export`),
  ]
  for (const deed of deeds) expect((await deed()).statusCode).toBeLessThan(400)
}

/** The ids of all events that this person may read. */
async function eventIds(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const response = await client.get(`/api/audit-events?page=${page}`)
    if (response.statusCode !== 200) return ids
    const { items } = response.json()
    if (items.length === 0) return ids
    ids.push(...items.map(({ id }: { id: string }) => id))
  }
}

async function everyAnswer(client: Client, invited: Person): Promise<{ name: string; text: string }[]> {
  const own = world.target('organizationAdmin', 'own')
  const targets: Target[] = [own, world.target('organizationAdmin', 'same'), { ...own, ...invited }]
  const urls = new Set(
    routes
      .filter(({ route }) => route.method === 'GET')
      .flatMap((declared) => targets.map((target) => requestFor(declared, target).url)),
  )
  for (const id of await eventIds(client)) urls.add(`/api/audit-events/${id}`)
  const answers = []
  for (const name of urls) {
    const { body, headers } = await client.get(name)
    answers.push({ name, text: body + JSON.stringify(headers) })
  }
  return answers
}

async function everyMail(): Promise<{ name: string; text: string }[]> {
  const rows = await portal.system.db
    .selectFrom('outboxMessages')
    .select(['id', 'template', 'recipient', 'sealed'])
    .where('recipient', '<>', operator.email)
    .execute()
  return Promise.all(
    rows.map(async ({ id, template, recipient, sealed }) => ({
      name: `${template} to ${recipient}`,
      text: sealed.length > 0 ? (await unseal(portal.system.keys, messageCell(id), sealed)).toString() : '',
    })),
  )
}

test('a customer reads who operates the portal in no answer, file or mail, after a super user has done everything', async () => {
  const invited = await portal.person({ firstName: 'Invited', lastName: 'Owner' })
  const refused = await doEverything()
  await doTheRest(invited)
  expect(refused.filter((one) => !isOfNoCustomer(one.replace(/ \d{3} .*/, '')))).toEqual([])
  const readers = [world.people.organizationAdmin, world.people.serviceAdmin, world.people.user, invited]
  const told: string[] = []
  let answers = 0
  for (const reader of readers) {
    const client = await portal.signedIn(reader)
    for (const { name, text } of await everyAnswer(client, invited)) {
      answers++
      const marks = namedIn(text)
      if (marks.length > 0) told.push(`${reader.email} ${name}: ${marks}`)
    }
  }
  const mails = await everyMail()
  for (const { name, text } of mails) if (namedIn(text).length > 0) told.push(`${name}: ${text}`)
  expect(told).toEqual([])
  expect(answers).toBeGreaterThan(400)
  expect(mails.length).toBeGreaterThan(5)
}, 180_000)
