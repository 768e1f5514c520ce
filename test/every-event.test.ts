import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditEventName, auditEventNames } from '#contract/audit-event.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { createPassiveUsersJob } from '#server/features/passive-users/passive-users.ts'
import { newId } from '#server/platform/ids.ts'
import { removeExpired } from '#server/platform/jobs/remove-expired.ts'
import { ssnColumns } from '#server/platform/secrets/ssn.ts'
import { propertyLabel } from '#web/features/audit-events/property-labels.ts'
import { declaredRoutes } from './declared-routes.ts'
import { directoryOf } from './directory.ts'
import { invitationsOf, invite, invitePath, newEmail } from './invitations.ts'
import { type ManagedNoun, managedNouns } from './managed-nouns.ts'
import { outboxOf } from './outbox.ts'
import { chosenPassword, type Person, testPassword } from './people.ts'
import { servicesOf } from './service.ts'
import { type TestApp, testApp } from './test-app.ts'

// Each event of the log once: what is done leaves exactly one row, with who did it, to what, and what changed.

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
let services: ReturnType<typeof servicesOf>
let rootPerson: Person
let root: Awaited<ReturnType<TestApp['signedIn']>>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LEAKED_PASSWORDS_FILE: 'test/leaked-passwords.txt' })
  invites = invitationsOf(portal)
  services = servicesOf(portal)
  rootPerson = await portal.person({ superUser: true, email: 'root@every.example' })
  root = await portal.signedIn(rootPerson)
})
afterAll(() => portal?.close())

interface Deed {
  do: () => Promise<{ statusCode: number } | undefined>
  actor: string | null
  target: string | null
  /** The changed properties; null for all that a new or deleted thing has, undefined where a secret's are not told. */
  changes: readonly string[] | null | undefined
}

async function scene() {
  const home = await invites.organizationWithAdmin()
  const person = await portal.person({ firstName: 'Emil', lastName: 'Ek', phoneNumber: '+46701740699' })
  await portal.join(person.accountId, home.organizationId)
  const service = await portal.service()
  await portal.offer(home.organizationId, service.serviceId)
  return { ...home, person, own: await portal.signedIn(person), service }
}
type Scene = Awaited<ReturnType<typeof scene>>
const rootDoes = { actor: 'root@every.example' }
const newPasswords = { newPassword: chosenPassword, confirmNewPassword: chosenPassword }

async function invited({ browser, organizationId }: Scene, email = newEmail()) {
  await invite(browser, organizationId, email)
  return { email, path: `/api/invites/${(await invites.invitationOf(email))?.invitationId}` }
}
/** A person with an account whom the organisation invites. */
async function invitedOwner(here: Scene) {
  const { email } = await portal.person({ email: newEmail() })
  const { path } = await invited(here, email)
  return { email, path, asThem: await portal.signedIn({ email, accountId: '' }) }
}
async function grouped({ browser, organizationId }: Scene): Promise<string> {
  return (await browser.post('/api/groups', { organizationId, name: 'Ekonomi' })).json().groupId
}
async function requested({ browser, own, organizationId, service: { serviceId } }: Scene) {
  await portal.system.db.updateTable('services').set({ requestable: true }).where('serviceId', '=', serviceId).execute()
  const ask = () => own.post('/api/access-requests', { organizationId, serviceId })
  /** The answer to a request that has been made. */
  const answer = async (how: 'grant' | 'refuse', body?: object) => {
    await ask()
    const [{ requestId }] = (await browser.get('/api/access-requests')).json().items
    return () => browser.post(`/api/access-requests/${requestId}/${how}`, body)
  }
  return { ask, answer }
}
async function reviewed({
  browser,
  admin,
  organizationId,
  name,
  person: { accountId },
  service: { serviceId },
}: Scene) {
  await portal.assign(accountId, organizationId, serviceId)
  const url = `/api/organizations/${organizationId}/access-review`
  const decide = async () => {
    const people: { rows: { rowId: string }[] }[] = (await browser.get(url)).json().items
    const rowIds = people.flatMap(({ rows }) => rows.map(({ rowId }) => rowId))
    return browser.post(`${url}/decisions`, { rowIds, from: null, decision: 'keep' })
  }
  return {
    start: () => browser.post(url),
    decide,
    finish: () => browser.post(`${url}/finish`, { takeBack: 0 }),
    ask: () => browser.post(`${url}/reviewers`, { serviceId, accountId }),
    dismiss: () => browser.delete(`${url}/reviewers/${serviceId}/${accountId}`),
    remind: () => browser.post(`${url}/reminder`),
    report: () => browser.get(`${url}/report`),
    of: { actor: admin.email, target: name },
  }
}
async function failedMessage(): Promise<string> {
  const id = newId()
  await portal.system.db
    .insertInto('outboxMessages')
    .values({
      ...{ id, kind: 'mail', template: 'password-changed', recipient: 'x@y.example', language: 'sv' },
      ...{ state: 'failed', sealed: Buffer.alloc(0), createdAt: portal.now(), finishedAt: portal.now() },
    })
    .execute()
  return id
}
let receivers = 0
const newReceiver = () => `https://receiver-${++receivers}.example/events`
async function streamed() {
  const url = newReceiver()
  const { streamId } = (await root.post('/api/audit-streams', { url })).json()
  return { url, path: `/api/audit-streams/${streamId}` }
}
const client = { kind: 'web', redirectUris: ['https://new.example/callback'] }
const signInTraces = ['method', 'client', 'address']

const porter = { name: 'Porter', permissions: ['readPeople'] }

type Noun = keyof typeof managedNouns
type NounEvent = `${'create' | 'update' | 'delete'}${Noun}`

const nounDeeds = Object.assign(
  {},
  ...Object.entries<ManagedNoun>(managedNouns).map(([noun, { url, id, form, label, change, changed }]) => {
    const created = async () => ({ [id]: (await root.post(url, form)).json()[id] })
    const target = String(form[label])
    return {
      [`create${noun}`]: () => ({ do: () => root.post(url, form), ...rootDoes, target, changes: null }),
      [`update${noun}`]: async () => {
        const body = { ...form, ...(await created()), ...change }
        const [called, changes] = [String({ ...form, ...change }[label]), changed ?? Object.keys(change)]
        return { do: () => root.put(url, body), ...rootDoes, target: called, changes }
      },
      [`delete${noun}`]: async () => {
        const address = `${url}/${(await created())[id]}`
        return { do: () => root.delete(address), ...rootDoes, target, changes: null }
      },
    }
  }),
) as Record<NounEvent, (scene: Scene) => Deed | Promise<Deed>>

/** How each event comes about, or which other test does it. One that nothing writes says so. */
const deeds: Record<AuditEventName, ((scene: Scene) => Deed | Promise<Deed>) | 'never written' | { testedIn: string }> =
  {
    ...nounDeeds,
    loginSuccess: ({ person }) => ({
      do: async () => void (await portal.signedIn(person)),
      actor: person.email,
      target: person.email,
      changes: signInTraces,
    }),
    loginFailure: ({ person: { email } }) => ({
      do: () => portal.browser().post('/api/verify-credentials', { email, password: 'Wrong-password-1' }),
      actor: null,
      target: email,
      changes: signInTraces,
    }),
    findLeakedPassword: async () => {
      const password = 'Vestibule-leaked-1'
      const { email } = await portal.person({ password })
      return {
        do: () => portal.browser().post('/api/verify-credentials', { email, password }),
        actor: null,
        target: email,
        changes: [],
      }
    },
    lockSignIn: async ({ person: { accountId, email } }) => {
      const { config, db } = portal.system
      const link = await notMeLink({ config, now: portal.now() }, db, accountId)
      return {
        do: () => portal.browser().submit(new URL(link).pathname, {}),
        actor: email,
        target: email,
        changes: [],
      }
    },
    logout: ({ person: { email }, own }) => ({
      do: () => own.submit('/logout', {}),
      actor: email,
      target: email,
      changes: signInTraces,
    }),
    serviceEntryRefused: async ({ own, person: { email }, service: { serviceId, name } }) => {
      const clientId = await services.register({ serviceId })
      return {
        do: async () =>
          (await own.follow(await own.get(services.requestFor(clientId), { accept: 'text/html' }))).response,
        actor: email,
        target: name,
        changes: signInTraces,
      }
    },
    serviceRequestRefused: async ({ own, service: { serviceId, name } }) => {
      const clientId = await services.register({ serviceId })
      return {
        do: async () => void (await own.get(services.requestFor(clientId, { redirect_uri: 'https://other.example/' }))),
        actor: null,
        target: name,
        changes: ['client', 'endpoint', 'error', 'reason', 'address'],
      }
    },
    issuePersonalNumber: async ({ own, person, organizationId, service: { serviceId, name } }) => {
      const { db, keys } = portal.system
      await portal.assign(person.accountId, organizationId, serviceId)
      const columns = ssnColumns(keys, { accountId: person.accountId, ssn: '198112289874' })
      await db.updateTable('users').set(columns).where('accountId', '=', person.accountId).execute()
      const clientId = await services.register({ serviceId, personalNumberReason: 'Payroll' })
      const request = services.requestFor(clientId, { scope: 'openid personal_identity_number' })
      const { headers } = await own.get(request, { accept: 'text/html' })
      const tokens = await services.tokensAt(clientId, String(headers.location))
      return {
        do: () => portal.browser().get('/oidc/me', { authorization: `Bearer ${tokens.access_token}` }),
        actor: person.email,
        target: name,
        changes: ['client'],
      }
    },
    yieldPersonalNumber: { testedIn: 'server/features/sign-in/bankid/claimed-numbers.test.ts' },
    readDirectory: async ({ organizationId, service: { serviceId, name } }) => {
      const clientId = await services.register({ serviceId, directoryAccess: true })
      const { access_token: token } = await services.tokenFor(clientId, { scope: 'directory' })
      const authorization = `Bearer ${token}`
      return {
        do: () => portal.browser().get(`/api/v1/organizations/${organizationId}/users`, { authorization }),
        actor: null,
        target: name,
        changes: ['client'],
      }
    },
    strengthenSession: async ({ own, person: { email } }) => {
      await own.post('/api/step-up/code', {})
      const code = String((await outboxOf(portal).messagesTo(email))[0]?.values.code)
      return {
        do: () => own.post('/api/step-up/code/verify', { code }),
        actor: email,
        target: email,
        changes: signInTraces,
      }
    },
    createUser: () => {
      const form = { email: newEmail(), firstName: 'Nina', lastName: 'Ny', loginMethod: 'local' }
      return {
        do: () => root.post('/api/users', { ...form, password: chosenPassword, confirmNewPassword: chosenPassword }),
        ...rootDoes,
        target: form.email,
        changes: null,
      }
    },
    updateUser: ({ browser, admin, person: { accountId, email } }) => ({
      do: () => browser.put('/api/users', { accountId, firstName: 'Emilia' }),
      actor: admin.email,
      target: email,
      changes: ['firstName'],
    }),
    updateBrand: ({ browser, admin, organizationId, name }) => ({
      do: () => browser.put(`/api/organizations/${organizationId}/brand`, { hue: 200 }),
      actor: admin.email,
      target: name,
      changes: ['brandHue'],
    }),
    updateSignInHost: ({ organizationId, name }) => ({
      do: () => root.put(`/api/organizations/${organizationId}/sign-in-host`, { signInHost: 'in.every.example' }),
      ...rootDoes,
      target: name,
      changes: ['signInHost'],
    }),
    revealSsn: async () => {
      const { accountId, email } = await portal.person({ ssn: '199908072391' })
      const reveal = () => root.post(`/api/users/${accountId}/ssn/reveal`)
      return { do: reveal, ...rootDoes, target: email, changes: [] }
    },
    erasePerson: async ({ person: { accountId } }) => {
      await root.delete(`/api/users/${accountId}`)
      const { items } = (await root.get(`/api/audit-events?targetIdFilter=${accountId}&nameFilter=deleteUser`)).json()
      return {
        do: () => root.post(`/api/audit-events/${items[0].id}/erasure`),
        ...rootDoes,
        target: `erased:${accountId.slice(-8)}`,
        changes: [],
      }
    },
    startAccessReview: async (here) => {
      const { start, of } = await reviewed(here)
      return { do: start, ...of, changes: ['rows'] }
    },
    decideAccessReview: async (here) => {
      const { start, decide, of } = await reviewed(here)
      await start()
      return { do: decide, ...of, changes: ['decision', 'rows'] }
    },
    finishAccessReview: async (here) => {
      const { start, decide, finish, of } = await reviewed(here)
      await start()
      await decide()
      return { do: finish, ...of, changes: ['rows', 'kept', 'takenBack'] }
    },
    askAccessReviewer: async (here) => {
      const { start, ask, of } = await reviewed(here)
      await start()
      return { do: ask, ...of, target: here.person.email, changes: ['organization', 'service'] }
    },
    dismissAccessReviewer: async (here) => {
      const { start, ask, dismiss, of } = await reviewed(here)
      await start()
      await ask()
      return { do: dismiss, ...of, target: here.person.email, changes: ['organization', 'service'] }
    },
    remindAccessReview: async (here) => {
      const { start, remind, of } = await reviewed(here)
      await start()
      await portal.system.db
        .updateTable('accessReviews')
        .set({ toldAt: new Date(0) })
        .where('organizationId', '=', here.organizationId)
        .execute()
      return { do: remind, ...of, changes: ['people'] }
    },
    resendMessage: async () => {
      const id = await failedMessage()
      return {
        do: () => root.post(`/api/system/failed-messages/${id}/resend`),
        ...rootDoes,
        target: 'password-changed',
        changes: [],
      }
    },
    exportAccessReview: async (here) => {
      const { start, report, of } = await reviewed(here)
      await start()
      return { do: report, ...of, changes: [] }
    },
    deleteUser: ({ person: { accountId, email } }) => ({
      do: () => root.delete(`/api/users/${accountId}`),
      ...rootDoes,
      target: email,
      changes: null,
    }),
    removeUser: ({ browser, admin, organizationId, person: { accountId, email } }) => ({
      do: () => browser.delete(`/api/users/${accountId}/organization/${organizationId}`),
      actor: admin.email,
      target: email,
      changes: ['organizations'],
    }),
    exportUsers: ({ browser, admin, organizationId, name }) => ({
      do: () => browser.get(`/api/organizations/${organizationId}/users/export?status=active`),
      actor: admin.email,
      target: name,
      changes: ['status'],
    }),
    applyGroupRules: { testedIn: 'server/features/groups/groups.test.ts' },
    giveFreeSeats: { testedIn: 'server/features/groups/group-seats.test.ts' },
    createGroup: ({ browser, admin, organizationId }) => ({
      do: () => browser.post('/api/groups', { organizationId, name: 'Ekonomi' }),
      actor: admin.email,
      target: 'Ekonomi',
      changes: null,
    }),
    updateGroup: async (here) => {
      const groupId = await grouped(here)
      return {
        do: () => here.browser.put('/api/groups', { groupId, name: 'Lön' }),
        actor: here.admin.email,
        target: 'Lön',
        changes: ['name'],
      }
    },
    deleteGroup: async (here) => {
      const groupId = await grouped(here)
      return {
        do: () => here.browser.delete(`/api/groups/${groupId}`),
        actor: here.admin.email,
        target: 'Ekonomi',
        changes: null,
      }
    },
    updateGroupMembers: async (here) => {
      const groupId = await grouped(here)
      return {
        do: () => here.browser.post(`/api/groups/${groupId}/members`, { accountIds: [here.person.accountId] }),
        actor: here.admin.email,
        target: 'Ekonomi',
        changes: ['peopleAdded'],
      }
    },
    createOrganizationRole: ({ browser, admin, organizationId }) => ({
      do: () => browser.post(`/api/organizations/${organizationId}/roles`, porter),
      actor: admin.email,
      target: 'Porter',
      changes: null,
    }),
    updateOrganizationRole: async ({ browser, admin, organizationId }) => {
      const url = `/api/organizations/${organizationId}/roles`
      const { roleId } = (await browser.post(url, porter)).json()
      return {
        do: () => browser.put(`${url}/${roleId}`, { permissions: ['readAudit'] }),
        actor: admin.email,
        target: 'Porter',
        changes: ['permissions'],
      }
    },
    deleteOrganizationRole: async ({ browser, admin, organizationId }) => {
      const url = `/api/organizations/${organizationId}/roles`
      const { roleId } = (await browser.post(url, porter)).json()
      return { do: () => browser.delete(`${url}/${roleId}`), actor: admin.email, target: 'Porter', changes: null }
    },
    updateUserRoles: ({ browser, admin, organizationId, person: { accountId, email } }) => ({
      do: () =>
        browser.post(`/api/users/${accountId}/organization/${organizationId}/roles`, { roles: [{ role: 'auditor' }] }),
      actor: admin.email,
      target: email,
      changes: ['roles', 'organization'],
    }),
    createServiceRole: ({ service: { serviceId } }) => ({
      do: () => root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Läkare' }),
      ...rootDoes,
      target: 'doctor',
      changes: null,
    }),
    updateServiceRole: async ({ service: { serviceId } }) => {
      const form = { serviceId, key: 'doctor', nameSv: 'Läkare' }
      const { roleId } = (await root.post('/api/service-roles', form)).json()
      const change = { roleId, needsTwoFactors: true }
      return {
        do: () => root.put('/api/service-roles', change),
        ...rootDoes,
        target: 'doctor',
        changes: ['needsTwoFactors'],
      }
    },
    deleteServiceRole: async ({ service: { serviceId } }) => {
      const form = { serviceId, key: 'doctor', nameSv: 'Läkare' }
      const { roleId } = (await root.post('/api/service-roles', form)).json()
      return { do: () => root.delete(`/api/service-roles/${roleId}`), ...rootDoes, target: 'doctor', changes: null }
    },
    updateUserServiceRoles: async ({
      browser,
      admin,
      organizationId,
      person: { accountId, email },
      service: { serviceId },
    }) => {
      await portal.assign(accountId, organizationId, serviceId)
      const form = { serviceId, key: 'doctor', nameSv: 'Läkare' }
      const { roleId } = (await root.post('/api/service-roles', form)).json()
      const call = `/api/users/${accountId}/organization/${organizationId}/service/${serviceId}/roles`
      return {
        do: () => browser.post(call, { roleIds: [roleId] }),
        actor: admin.email,
        target: email,
        changes: ['serviceRoles', 'service', 'organization'],
      }
    },
    updateUserServices: ({ browser, admin, organizationId, person: { accountId, email }, service: { serviceId } }) => ({
      do: () =>
        browser.post(`/api/users/${accountId}/organization/${organizationId}/service`, {
          services: [{ serviceId, userRole: 'regular' }],
        }),
      actor: admin.email,
      target: email,
      changes: ['organization', 'services'],
    }),
    inviteUser: ({ browser, admin, organizationId }) => {
      const email = newEmail()
      const changes = ['organization', 'userRole']
      return { do: () => invite(browser, organizationId, email), actor: admin.email, target: email, changes }
    },
    acceptInvite: async (here) => {
      const { email } = await invited(here)
      const token = await invites.mailedToken(email)
      return { do: () => invites.accept(email, token), actor: email, target: email, changes: null }
    },
    readInviteLink: async (here) => {
      const { email } = await invited(here)
      const read = () => here.browser.get(invitePath(email, here.organizationId))
      return { do: read, actor: here.admin.email, target: email, changes: [] }
    },
    joinOrganization: async (here) => {
      const { email, path, asThem } = await invitedOwner(here)
      const changes = ['organization', 'userRole']
      return { do: () => asThem.post(`${path}/join`, {}), actor: email, target: email, changes }
    },
    declineInvite: async (here) => {
      const { email, path, asThem } = await invitedOwner(here)
      return { do: () => asThem.post(`${path}/decline`, {}), actor: email, target: email, changes: ['organization'] }
    },
    expireInvite: async (here) => {
      const { email } = await invited(here)
      const { db, config } = portal.system
      await db
        .updateTable('invitations')
        .set({ expiresAt: new Date(0) })
        .where('email', '=', email)
        .execute()
      const remove = async () => void (await removeExpired(db, portal.now(), config))
      return { do: remove, actor: null, target: email, changes: [] }
    },
    requestPasswordReset: ({ person: { email } }) => ({
      do: () => portal.browser().post('/api/initiate-password-reset', { email }),
      actor: null,
      target: email,
      changes: [],
    }),
    resetPassword: async ({ person: { email } }) => {
      await portal.browser().post('/api/initiate-password-reset', { email })
      const token = String((await outboxOf(portal).messagesTo(email))[0]?.values.link)
        .split('/')
        .at(-1)
      const reset = () => portal.browser().post('/api/reset-password', { email, token, ...newPasswords })
      return { do: reset, actor: email, target: email, changes: [] }
    },
    changePassword: ({ own, person: { email } }) => ({
      do: () => own.put('/api/profile/password', { oldPassword: testPassword, ...newPasswords }),
      actor: email,
      target: email,
      changes: [],
    }),
    askForRecovery: { testedIn: 'server/features/recoveries/recoveries.test.ts' },
    confirmRecovery: { testedIn: 'server/features/recoveries/recoveries.test.ts' },
    stopRecovery: { testedIn: 'server/features/recoveries/recoveries.test.ts' },
    recoverAccount: { testedIn: 'server/features/recoveries/recoveries.test.ts' },
    addAuthenticatorApp: { testedIn: 'server/features/factors/factors.test.ts' },
    chooseSecondFactor: { testedIn: 'server/features/factors/factors.test.ts' },
    createRecoveryCodes: { testedIn: 'server/features/factors/factors.test.ts' },
    removeAuthenticatorApp: { testedIn: 'server/features/factors/factors.test.ts' },
    removeRecoveryCodes: { testedIn: 'server/features/recoveries/recoveries.test.ts' },
    useRecoveryCode: { testedIn: 'server/features/factors/factors.test.ts' },
    updateSignInRules: { testedIn: 'server/features/factors/sign-in-rules.test.ts' },
    createPasskey: { testedIn: 'server/features/passkeys/passkeys.test.ts' },
    updatePasskey: { testedIn: 'server/features/passkeys/passkeys.test.ts' },
    deletePasskey: { testedIn: 'server/features/passkeys/passkeys.test.ts' },
    stopPasskey: { testedIn: 'server/features/passkeys/passkeys.test.ts' },
    requestOwnData: ({ own, person: { email } }) => ({
      do: () => own.post('/api/profile/data'),
      actor: email,
      target: email,
      changes: [],
    }),
    downloadOwnData: { testedIn: 'server/features/profile/own-data/own-data.test.ts' },
    createOrganization: () => ({
      do: () => root.post('/api/organizations', { name: 'Brand new AB', loginMethod: 'local' }),
      ...rootDoes,
      target: 'Brand new AB',
      changes: null,
    }),
    updateOrganization: ({ organizationId }) => ({
      do: () => root.put('/api/organizations', { organizationId, name: 'Renamed AB' }),
      ...rootDoes,
      target: 'Renamed AB',
      changes: ['name'],
    }),
    deleteOrganization: ({ organizationId, name }) => ({
      do: () => root.delete(`/api/organizations/${organizationId}?force=true`),
      ...rootDoes,
      target: name,
      changes: null,
    }),
    createService: () => ({
      do: () => root.post('/api/services', { name: 'Brand new', url: 'https://new.example' }),
      ...rootDoes,
      target: 'Brand new',
      changes: null,
    }),
    updateService: ({ service: { serviceId, name } }) => ({
      do: () => root.put('/api/services', { serviceId, name, url: 'https://moved.example' }),
      ...rootDoes,
      target: name,
      changes: ['url'],
    }),
    deleteService: ({ service: { serviceId, name } }) => ({
      do: () => root.delete(`/api/services/${serviceId}?force=true`),
      ...rootDoes,
      target: name,
      changes: null,
    }),
    createClient: ({ service: { serviceId, name } }) => ({
      do: () => root.put(`/api/services/${serviceId}/client`, client),
      ...rootDoes,
      target: name,
      changes: null,
    }),
    updateClient: async ({ service: { serviceId, name } }) => {
      await root.put(`/api/services/${serviceId}/client`, client)
      const change = { ...client, redirectUris: ['https://new.example/other'] }
      return {
        do: () => root.put(`/api/services/${serviceId}/client`, change),
        ...rootDoes,
        target: name,
        changes: ['redirectUris'],
      }
    },
    deleteClient: async ({ service: { serviceId, name } }) => {
      await root.put(`/api/services/${serviceId}/client`, client)
      return { do: () => root.delete(`/api/services/${serviceId}/client`), ...rootDoes, target: name, changes: null }
    },
    createClientSecret: async ({ service: { serviceId, name } }) => {
      await root.put(`/api/services/${serviceId}/client`, client)
      return {
        do: () => root.post(`/api/services/${serviceId}/client/secrets`, {}),
        ...rootDoes,
        target: name,
        changes: undefined,
      }
    },
    deleteClientSecret: async ({ service: { serviceId, name } }) => {
      await root.put(`/api/services/${serviceId}/client`, client)
      await root.post(`/api/services/${serviceId}/client/secrets`, { keepHours: 24 })
      return {
        do: () => root.delete(`/api/services/${serviceId}/client/secrets/previous`),
        ...rootDoes,
        target: name,
        changes: undefined,
      }
    },
    orderServiceCategories: async () => {
      for (const category of ['Care', 'Work'])
        await root.post('/api/services', { name: `In ${category}`, url: 'https://new.example', category })
      const categories: string[] = (await root.get('/api/service-categories')).json()
      const turned = [...categories].reverse()
      return {
        do: () => root.put('/api/service-categories', { categories: turned }),
        ...rootDoes,
        target: turned.join(', '),
        changes: ['categories'],
      }
    },
    requestServiceAccess: async (here) => ({
      do: (await requested(here)).ask,
      actor: here.person.email,
      target: here.person.email,
      changes: ['organization', 'service'],
    }),
    grantServiceAccess: async (here) => ({
      do: await (await requested(here)).answer('grant'),
      actor: here.admin.email,
      target: here.person.email,
      changes: ['organization', 'services'],
    }),
    refuseServiceAccess: async (here) => ({
      do: await (await requested(here)).answer('refuse', { reason: 'Not in your work' }),
      actor: here.admin.email,
      target: here.person.email,
      changes: ['organization', 'service', 'reason'],
    }),
    createSamlSetup: ({ organizationId, name }) => ({
      do: () => root.post('/api/saml-setups', { organizationId }),
      ...rootDoes,
      target: name,
      changes: ['setupId', 'expiresAt', 'directory'],
    }),
    revokeSamlSetup: async ({ organizationId, name }) => {
      const { setupId } = (await root.post('/api/saml-setups', { organizationId })).json()
      const revoke = () => root.post(`/api/saml-setups/${setupId}/revoke`)
      return { do: revoke, ...rootDoes, target: name, changes: ['setupId'] }
    },
    useSamlSetup: async ({ organizationId, name }) => {
      const { url } = (await root.post('/api/saml-setups', { organizationId })).json()
      const token = String(url).split('/').at(-1)
      const use = () => portal.browser().post('/api/saml-setup', { token })
      return { do: use, actor: null, target: name, changes: ['setupUse', 'address'] }
    },
    handInSamlSetup: { testedIn: 'server/features/saml-setups/saml-setups.test.ts' },
    approveSamlSetup: { testedIn: 'server/features/saml-setups/saml-setups.test.ts' },
    rejectSamlSetup: { testedIn: 'server/features/saml-setups/saml-setups.test.ts' },
    notifyInactiveUser: async ({ person: { accountId, email } }) => {
      const { db } = portal.system
      await db.updateTable('users').set({ maxPassiveDays: 36_500 }).execute()
      const lastActive = new Date(portal.now().getTime() - 20 * 24 * 3600_000)
      await db.updateTable('users').set({ maxPassiveDays: 30, lastActive }).where('accountId', '=', accountId).execute()
      return {
        do: async () => void (await createPassiveUsersJob(portal.system).run()),
        actor: null,
        target: email,
        changes: ['becomesPassiveAt'],
      }
    },
    tryClient: { testedIn: 'server/features/service-clients/try-client.test.ts' },
    testClientLogout: async ({ service: { serviceId, name } }) => {
      // The trial fails, because the address is refused; that it was made is told all the same.
      const backchannelLogoutUri = 'http://127.0.0.1:9/logout'
      await root.put(`/api/services/${serviceId}/client`, { ...client, backchannelLogoutUri })
      return {
        do: async () => void (await root.post(`/api/services/${serviceId}/client/test-logout`)),
        ...rootDoes,
        target: name,
        changes: [],
      }
    },
    moveAuditMonth: { testedIn: 'server/platform/audit/cold/move-months.test.ts' },
    removeAuditMonth: { testedIn: 'server/platform/audit/cold/move-months.test.ts' },
    removeAuditEvents: { testedIn: 'server/platform/audit/retention.test.ts' },
    exportAuditEvents: () => ({
      do: () => root.get('/api/audit-events/export?nameFilter=createUser'),
      ...rootDoes,
      target: null,
      changes: ['fileType', 'nameFilter'],
    }),
    createScimToken: ({ browser, admin, organizationId, name }) => ({
      do: () => browser.post(`/api/organizations/${organizationId}/directory/tokens`, { name: 'Entra', days: '365' }),
      actor: admin.email,
      target: name,
      changes: null,
    }),
    confirmScimToken: async ({ browser, admin, organizationId, name }) => {
      const url = `/api/organizations/${organizationId}/directory/tokens`
      const { tokenId } = (await root.post(url, { name: 'Entra', days: '365' })).json()
      return { do: () => browser.post(`${url}/${tokenId}/confirm`), actor: admin.email, target: name, changes: null }
    },
    revokeScimToken: async ({ browser, admin, organizationId, name }) => {
      const url = `/api/organizations/${organizationId}/directory/tokens`
      const { tokenId } = (await browser.post(url, { name: 'Entra', days: '365' })).json()
      return { do: () => browser.delete(`${url}/${tokenId}`), actor: admin.email, target: name, changes: null }
    },
    mapDirectoryGroup: async () => {
      const { call, browser, admin, url } = await directoryOf(portal)
      const { id } = (await call('POST', '/Groups', { displayName: 'Surgeons' })).json()
      return {
        do: () => browser.put(`${url}/groups/${id}`, { becomes: 'role', role: 'reader' }),
        actor: admin.email,
        target: 'Surgeons',
        changes: ['roles'],
      }
    },
    restoreUser: async () => {
      const { created, call, name } = await directoryOf(portal)
      const { id, email } = await created()
      const set = (active: boolean) => () => call('PUT', `/Users/${id}`, { userName: email, active })
      await set(false)()
      return { do: set(true), actor: `${name} (SCIM)`, target: email, changes: null }
    },
    createAuditStream: () => {
      const url = newReceiver()
      return { do: () => root.post('/api/audit-streams', { url }), ...rootDoes, target: url, changes: null }
    },
    deleteAuditStream: async () => {
      const { url, path } = await streamed()
      return { do: () => root.delete(path), ...rootDoes, target: url, changes: null }
    },
    renewAuditStreamSecret: async () => {
      const { url, path } = await streamed()
      return { do: () => root.post(`${path}/secret`), ...rootDoes, target: url, changes: [] }
    },
    resendAuditEvents: async () => {
      const { url, path } = await streamed()
      return { do: () => root.post(`${path}/resend`, { fromSeq: 1 }), ...rootDoes, target: url, changes: ['fromSeq'] }
    },
    stopAuditStream: { testedIn: 'server/features/audit-streams/audit-streams.test.ts' },
    signOutNotDelivered: { testedIn: 'server/oidc/logout/logout.test.ts' },
    updateEmailTemplate: async () => ({
      do: () =>
        root.put('/api/email-templates/login-code/texts', {
          ...{ language: 'en', subject: 'Your code', body: '{{code}}', button: '' },
        }),
      ...rootDoes,
      target: 'login-code, en',
      changes: ['subject', 'body', 'state'],
    }),
    // What the log shows for a name that it does not know.
    unknown: 'never written',
  }

async function events() {
  const { rows } = await portal.system.pool.query('select id, name, actor, target, changes from audit_events')
  return rows as { id: string; name: string; actor: string | null; target: string; changes: { property: string }[] }[]
}

describe.each(auditEventNames)('%s', (name) => {
  const deed = deeds[name]
  if (deed === 'never written')
    test('is written by no call', () => {
      expect(
        declaredRoutes(portal).filter(({ route }) => JSON.stringify(route.audit ?? '').includes(`"${name}"`)),
      ).toEqual([])
    })
  else if (typeof deed === 'object')
    test('has a test of its own, which expects it by name', () => {
      const code = readFileSync(deed.testedIn, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
      expect(code).toMatch(new RegExp(`\\bexpect\\([^;]*['\`= ]${name}['\`&]|'name', '=', '${name}'`))
    })
  else
    test('leaves exactly one event, with who, what and the changes', async () => {
      const { do: act, actor, target, changes } = await deed(await scene())
      const before = new Set((await events()).map(({ id }) => id))
      expect((await act())?.statusCode ?? 200).toBeLessThan(name === 'loginFailure' ? 402 : 400)
      const added = (await events()).filter(({ id }) => !before.has(id))
      expect(added).toEqual([{ id: expect.any(String), name, actor, target, changes: expect.any(Array) }])
      const properties = added[0]?.changes.map(({ property }) => property)
      if (changes) expect(properties).toEqual(changes)
      else if (changes === null) expect(properties).not.toEqual([])
    })
})

test('each changed property of these events has a label for people', async () => {
  const properties = (await events()).flatMap(({ name, changes }) => changes.map(({ property }) => [property, name]))
  expect(properties.filter(([property = '', name = '']) => !propertyLabel(property, name))).toEqual([])
})
