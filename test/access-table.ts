import { type ManagedNoun, managedNouns } from './managed-nouns.ts'
import { testPassword } from './people.ts'
import type { Role, Target } from './world.ts'

/** A sample request of a call: its path parameters, query and body. */
export interface Sample {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
}

/**
 * The expected result of each role, one character for each distance: own, same organisation, foreign, missing. `y` is
 * success, `3` 403, `4` 404, `9` 409 and `2` 422 (which require the permission). A single character if the call has no target.
 * Requests without a session and passive people always get 401.
 */
type Answers = Record<Exclude<Role, 'passiveUser'>, string>

export interface Case {
  sample: (target: Target) => Sample
  /** A number: everyone gets this status, signed in or not. */
  expect: Answers | number
}

const everySignedIn: Answers = { user: 'y', serviceAdmin: 'y', organizationAdmin: 'y', superUser: 'y', otherUser: 'y' }
const others = (sign: string) => ({ user: sign, serviceAdmin: sign, organizationAdmin: sign, otherUser: sign })
const noCopy: Answers = { user: '4', serviceAdmin: '4', organizationAdmin: '4', superUser: '4', otherUser: '4' }
/** Super users only, if the target exists. */
const superUsersOnly: Answers = { ...others('3333'), superUser: 'yyy4' }
const superUsersAtAll: Answers = { ...others('3'), superUser: 'y' }
/** Admins of any organisation, and super users. */
const eventReaders: Answers = { ...superUsersAtAll, organizationAdmin: 'y' }
/** The person themselves, and super users. */
const own: Answers = { ...others('y444'), superUser: 'yyy4' }
/** Admins of the organisation, and super users. */
const organizationAdmins: Answers = { ...others('3333'), organizationAdmin: 'yy44', superUser: 'yyy4' }
/** The same, and the admins of the service there. */
const serviceAdmins: Answers = { ...organizationAdmins, serviceAdmin: 'yy44' }
/** The person themselves, and admins of one of their organisations or services. */
const theirAdmins: Answers = { ...own, serviceAdmin: 'yy44', organizationAdmin: 'yy44' }
/** Members of an organisation; every role is a member of exactly one. */
const members: Answers = { ...others('yy44'), superUser: 'yyy4' }

const nothing = () => ({})
const templateText = { subject: 'Code', body: '{{code}}', button: '' }

let named = 0
const none = '01900000-0000-7000-8000-000000000000'
const ofOrganization = ({ organizationId }: Target): Sample => ({ params: { id: organizationId } })
const question = (accountId: string, organizationId: string) => ({
  subject: { type: 'user', id: accountId },
  action: { name: 'regular' },
  resource: { type: 'service', id: organizationId },
})
const ofRole = ({ organizationId, roleId }: Target): Sample => ({ params: { organizationId, roleId } })
const ofUser = ({ accountId }: Target): Sample => ({ params: { id: accountId } })
/** Who may help, of whom nobody has asked for help; nobody helps themselves. */
const withoutRecovery: Answers = { ...others('3333'), organizationAdmin: '3444', superUser: '3444' }
const noStream = () => ({ params: { id: none } })
const noSetup = noStream
const superUsersOfNothing: Answers = { ...superUsersAtAll, superUser: '4' }
const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} }
const registered = { ...credential, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
const used = { ...credential, response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } }
interface Managed extends Pick<ManagedNoun, 'url' | 'id' | 'form' | 'of'> {
  removal?: Pick<Sample, 'query'>
}
/** Where nobody has any yet, super users get 404. */
function managed({ url, id, form, of, removal }: Managed): Record<string, Case> {
  const idOf = of ?? (() => none)
  const expect = of ? superUsersOnly : superUsersOfNothing
  return {
    [`GET ${url}`]: { sample: nothing, expect: superUsersAtAll },
    [`GET ${url}/{id}`]: { sample: (target) => ({ params: { id: idOf(target) } }), expect },
    [`POST ${url}`]: { sample: () => ({ body: form }), expect: superUsersAtAll },
    [`PUT ${url}`]: { sample: (target) => ({ body: { ...form, [id]: idOf(target) } }), expect },
    [`DELETE ${url}/{id}`]: { sample: (target) => ({ params: { id: idOf(target) }, ...removal }), expect },
  }
}
const organizationForm = { name: 'Changed AB', loginMethod: 'local' }
const noClient: Case = {
  sample: ({ serviceId }) => ({ params: { id: serviceId } }),
  expect: { ...others('3333'), superUser: '4444' },
}
const samlConfigForm = managedNouns.SamlConfig.form
const oidcConfigForm = {
  name: 'New company',
  url: 'https://idp.new.example',
  domain: 'https://new.example',
  clientId: 'portal',
  clientSecret: 'secret-of-the-new-company',
}
const identityProviderMetadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.new.example">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/>
</EntityDescriptor>`
const importSample = ({ organizationId }: Target) => ({
  body: { organizationId, rows: [{ email: 'imported@nordvik.example' }] },
})

/**
 * Every call with a valid request and the expected results. Written from product-rules 5, not from permissions.ts, so that
 * mistakes there are found. A call that is missing here fails the tests.
 */
export const accessTable: Record<string, Case> = {
  ...Object.assign({}, ...Object.values<ManagedNoun>(managedNouns).map(managed)),

  'GET /api/me': { sample: nothing, expect: everySignedIn },
  'GET /api/start': { sample: nothing, expect: everySignedIn },
  'GET /api/audit-events': { sample: nothing, expect: eventReaders },
  'GET /api/audit-events/export': { sample: nothing, expect: eventReaders },
  'GET /api/audit-events/export-lines': { sample: nothing, expect: eventReaders },
  // No event has this id.
  'POST /api/audit-events/{id}/erasure': {
    sample: () => ({ params: { id: '01900000-0000-7000-8000-000000000000' } }),
    expect: { ...others('3'), superUser: '4' },
  },
  'GET /api/audit-events/{id}': {
    sample: () => ({ params: { id: '01900000-0000-7000-8000-000000000000' } }),
    expect: { ...others('3'), organizationAdmin: '4', superUser: '4' },
  },
  'GET /api/audit-streams': { sample: nothing, expect: superUsersAtAll },
  'POST /api/audit-streams': {
    sample: () => ({ body: { url: 'https://siem.example/hook' } }),
    expect: superUsersAtAll,
  },
  'POST /api/audit-streams/{id}/secret': { sample: noStream, expect: superUsersOfNothing },
  'POST /api/audit-streams/{id}/test': { sample: noStream, expect: superUsersOfNothing },
  'POST /api/audit-streams/{id}/resend-one': {
    sample: () => ({ ...noStream(), body: { seq: 1 } }),
    expect: superUsersOfNothing,
  },
  'POST /api/audit-streams/{id}/resend': { sample: () => ({ ...noStream(), body: {} }), expect: superUsersOfNothing },
  'DELETE /api/audit-streams/{id}': { sample: noStream, expect: superUsersOfNothing },
  'PUT /api/profile': { sample: () => ({ body: { firstName: 'Changed' } }), expect: everySignedIn },
  'PUT /api/profile/password': {
    sample: () => ({
      body: {
        oldPassword: testPassword,
        newPassword: 'Brown-otter-42-lamp',
        confirmNewPassword: 'Brown-otter-42-lamp',
      },
    }),
    expect: everySignedIn,
  },
  'GET /api/profile/data': { sample: nothing, expect: everySignedIn },
  'POST /api/profile/data': { sample: nothing, expect: everySignedIn },
  // No one has a copy here: server/features/profile/own-data/own-data.test.ts.
  'GET /api/profile/data/json': { sample: nothing, expect: noCopy },
  'GET /api/profile/data/html': { sample: nothing, expect: noCopy },
  'GET /api/profile/roles': { sample: nothing, expect: everySignedIn },
  'GET /api/profile/sessions': { sample: nothing, expect: everySignedIn },
  // Session ids are visible only to their owner: server/features/profile/own-sessions.test.ts.
  'DELETE /api/profile/sessions/{id}': {
    sample: () => ({ params: { id: '0123456789abcdef0123456789abcdef' } }),
    expect: { user: '4', serviceAdmin: '4', organizationAdmin: '4', superUser: '4', otherUser: '4' },
  },
  'DELETE /api/profile/sessions': { sample: nothing, expect: everySignedIn },
  'GET /api/step-up': { sample: nothing, expect: everySignedIn },
  'POST /api/step-up/password': { sample: () => ({ body: { password: testPassword } }), expect: everySignedIn },
  'POST /api/step-up/code': { sample: () => ({ body: {} }), expect: everySignedIn },
  // Nobody can guess the code.
  'POST /api/step-up/code/verify': {
    sample: () => ({ body: { code: 'abcdef' } }),
    expect: { ...others('2'), superUser: '2' },
  },
  'GET /api/profile/factors': { sample: nothing, expect: everySignedIn },
  // A session after a password alone adds no factor: server/features/factors/factors.test.ts.
  'PUT /api/profile/factors/usual': {
    sample: () => ({ body: { usual: 'email' } }),
    expect: { ...others('3'), superUser: '3' },
  },
  'PUT /api/profile/factors/mail': { sample: () => ({ body: { on: true } }), expect: everySignedIn },
  'POST /api/profile/app': { sample: () => ({ body: {} }), expect: { ...others('3'), superUser: '3' } },
  'POST /api/profile/app/confirm': {
    sample: () => ({ body: { setup: 'AAAA', code: '123456' } }),
    expect: { ...others('3'), superUser: '3' },
  },
  'DELETE /api/profile/app': { sample: nothing, expect: noCopy },
  'POST /api/profile/recovery-codes': { sample: () => ({ body: {} }), expect: { ...others('3'), superUser: '3' } },
  'GET /api/2fa-factors': { sample: nothing, expect: 404 },
  'POST /api/2fa-passkey': { sample: () => ({ body: {} }), expect: 404 },
  'POST /api/verify-credentials-passkey': {
    sample: ({ email }) => ({ body: { email, password: 'wrong', credential: used } }),
    expect: 401,
  },
  'GET /api/organizations/{id}/sign-in-rules': { sample: ofOrganization, expect: organizationAdmins },
  'PUT /api/organizations/{id}/sign-in-rules': {
    sample: (target) => ({
      ...ofOrganization(target),
      body: {
        secondFactors: null,
        strongAdminsFrom: null,
        sessionIdleMinutes: null,
        sessionMaxHours: null,
        maxPasswordAgeDays: null,
      },
    }),
    expect: organizationAdmins,
  },
  'GET /api/profile/recovery': { sample: nothing, expect: everySignedIn },
  'POST /api/profile/recovery/confirm': { sample: nothing, expect: noCopy },
  'DELETE /api/profile/recovery': { sample: nothing, expect: noCopy },
  'GET /api/organizations/{id}/brand': { sample: ofOrganization, expect: organizationAdmins },
  'PUT /api/organizations/{id}/brand': {
    sample: (target) => ({ ...ofOrganization(target), body: { hue: 200 } }),
    expect: organizationAdmins,
  },
  'GET /api/organizations/{id}/directory': { sample: ofOrganization, expect: organizationAdmins },
  'GET /api/organizations/{id}/directory/log': { sample: ofOrganization, expect: organizationAdmins },
  'GET /api/organizations/{id}/directory/groups': { sample: ofOrganization, expect: organizationAdmins },
  'PUT /api/organizations/{id}/directory/groups/{scimGroupId}': {
    sample: ({ organizationId }) => ({
      params: { id: organizationId, scimGroupId: none },
      body: { becomes: 'nothing' },
    }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'POST /api/organizations/{id}/directory/tokens': {
    sample: (target) => ({ ...ofOrganization(target), body: { name: 'Entra', days: '365' } }),
    expect: organizationAdmins,
  },
  'DELETE /api/organizations/{id}/directory/tokens/{tokenId}': {
    sample: ({ organizationId }) => ({ params: { id: organizationId, tokenId: none } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'POST /api/organizations/{id}/directory/tokens/{tokenId}/confirm': {
    sample: ({ organizationId }) => ({ params: { id: organizationId, tokenId: none } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'GET /api/organizations/{id}/directory/setup-links': { sample: ofOrganization, expect: organizationAdmins },
  'POST /api/organizations/{id}/directory/setup-links': {
    sample: (target) => ({ ...ofOrganization(target), body: {} }),
    expect: organizationAdmins,
  },
  'DELETE /api/organizations/{id}/directory/setup-links/{setupId}': {
    sample: ({ organizationId }) => ({ params: { id: organizationId, setupId: none } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'POST /api/organizations/{id}/directory/people/{personId}/retry': {
    sample: ({ organizationId }) => ({ params: { id: organizationId, personId: none } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'PUT /api/organizations/{id}/sign-in-host': {
    sample: (target) => ({ ...ofOrganization(target), body: { signInHost: null } }),
    expect: superUsersOnly,
  },
  'GET /brand/{file}': { sample: () => ({ params: { file: `${'0'.repeat(64)}.png` } }), expect: 404 },
  'GET /api/profile/passkeys': { sample: nothing, expect: everySignedIn },
  // A session after a password alone adds no key: server/features/passkeys/passkeys.test.ts.
  'POST /api/profile/passkeys/challenge': {
    sample: () => ({ body: { kind: 'passkey' } }),
    expect: { ...others('3'), superUser: '3' },
  },
  'POST /api/profile/passkeys': {
    sample: () => ({ body: { credential: registered } }),
    expect: { ...others('3'), superUser: '3' },
  },
  'PUT /api/profile/passkeys/{id}': {
    sample: () => ({ params: { id: none }, body: { name: 'Phone' } }),
    expect: noCopy,
  },
  'DELETE /api/profile/passkeys/{id}': { sample: () => ({ params: { id: none } }), expect: noCopy },
  'POST /api/profile/passkeys/not-now': { sample: () => ({ body: {} }), expect: everySignedIn },
  'POST /api/step-up/passkey': { sample: () => ({ body: {} }), expect: { ...others('9'), superUser: '9' } },
  'POST /api/step-up/passkey/verify': {
    sample: () => ({ body: { credential: used } }),
    expect: { ...others('2'), superUser: '2' },
  },
  'GET /api/session-expire': { sample: nothing, expect: 200 },
  'GET /api/portal': { sample: nothing, expect: 200 },
  'GET /api/openapi.json': { sample: nothing, expect: 200 },
  'GET /api/docs': { sample: nothing, expect: 200 },
  // Only with the token of an organisation's directory: scim-users.test.ts.
  ...Object.fromEntries(
    [
      'ServiceProviderConfig',
      'ResourceTypes',
      'ResourceTypes/{name}',
      'Schemas',
      'Schemas/{name}',
      'Users',
      'Groups',
    ].map((path): [string, Case] => [
      `GET /scim/v2/${path}`,
      { sample: () => ({ params: { name: 'User' } }), expect: 401 },
    ]),
  ),
  ...Object.fromEntries(
    ['GET', 'PUT', 'PATCH', 'DELETE']
      .flatMap((method) => [`${method} /scim/v2/Users/{id}`, `${method} /scim/v2/Groups/{id}`])
      .map((name): [string, Case] => [name, { sample: () => ({ params: { id: none }, body: {} }), expect: 401 }]),
  ),
  'POST /scim/v2/Groups': { sample: () => ({ body: {} }), expect: 401 },
  'POST /scim/v2/Users': { sample: () => ({ body: {} }), expect: 401 },
  // Only with a service's own token: directory.test.ts.
  'GET /api/v1/organizations': { sample: nothing, expect: 401 },
  'GET /api/v1/organizations/{id}/users': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: 401,
  },
  // Likewise: decisions.test.ts.
  'POST /access/v1/evaluation': {
    sample: ({ accountId, organizationId }) => ({ body: question(accountId, organizationId) }),
    expect: 401,
  },
  'POST /access/v1/evaluations': {
    sample: ({ accountId, organizationId }) => ({ body: question(accountId, organizationId) }),
    expect: 401,
  },
  'GET /.well-known/authzen-configuration': { sample: nothing, expect: 200 },
  'POST /client-errors': { sample: () => ({ body: { url: '/', error: 'Error: broken' } }), expect: 204 },

  'GET /api/users/{id}/organizations': { sample: ({ accountId }) => ({ params: { id: accountId } }), expect: own },
  'GET /api/users/{id}/admin-services': { sample: ({ accountId }) => ({ params: { id: accountId } }), expect: own },
  'GET /api/users/{accountId}/{organizationId}/services': {
    sample: ({ accountId, organizationId }) => ({ params: { accountId, organizationId } }),
    expect: { ...own, organizationAdmin: 'yy44' },
  },

  // Everyone here has the service: 409 says that the request was let in.
  'POST /api/access-requests': {
    sample: ({ organizationId, serviceId }) => ({ body: { organizationId, serviceId } }),
    expect: { ...others('9944'), superUser: '9944' },
  },
  'GET /api/access-requests': { sample: nothing, expect: { ...everySignedIn, user: '3', otherUser: '3' } },
  'POST /api/access-requests/{id}/grant': {
    sample: ({ requestId }) => ({ params: { id: requestId } }),
    expect: serviceAdmins,
  },
  'POST /api/access-requests/{id}/refuse': {
    sample: ({ requestId }) => ({ params: { id: requestId }, body: { reason: 'Not needed' } }),
    expect: serviceAdmins,
  },
  'GET /api/organizations/{id}/missing-services': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: { ...others('yy44'), superUser: 'yy44' },
  },
  // Everyone here has their organisation's service: server/features/launcher/launcher.test.ts reads one that is missing.
  'GET /api/organizations/{id}/missing-services/{serviceId}': {
    sample: ({ organizationId, serviceId }) => ({ params: { id: organizationId, serviceId } }),
    expect: { ...others('4444'), superUser: '4444' },
  },
  'PUT /api/service-preferences/{serviceId}': {
    sample: ({ serviceId }) => ({ params: { serviceId }, body: { favourite: true } }),
    expect: { ...others('yy44'), superUser: 'yy44' },
  },
  'GET /launch/{serviceId}': { sample: ({ serviceId }) => ({ params: { serviceId } }), expect: 303 },
  'GET /api/system': { sample: nothing, expect: superUsersAtAll },
  'GET /api/system/failed-messages': { sample: nothing, expect: superUsersAtAll },
  // No message has failed.
  'POST /api/system/failed-messages/{id}/resend': {
    sample: () => ({ params: { id: none } }),
    expect: superUsersOfNothing,
  },
  'POST /api/system/test-mail': { sample: () => ({ body: {} }), expect: superUsersAtAll },
  'POST /api/system/send-waiting': { sample: () => ({ body: {} }), expect: superUsersAtAll },
  'GET /api/home': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}/home': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: organizationAdmins,
  },

  'GET /api/users': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}/users': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/users/export': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}/users/export': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/users/passive-preview': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}/passive-preview': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/services/{serviceId}/{organizationId}/users': {
    sample: ({ serviceId, organizationId }) => ({ params: { serviceId, organizationId } }),
    expect: serviceAdmins,
  },
  'GET /api/users/{userId}/organization/{organizationId}/service/{serviceId}': {
    sample: ({ accountId, organizationId, serviceId }) => ({
      params: { userId: accountId, organizationId, serviceId },
    }),
    expect: theirAdmins,
  },
  'GET /api/users/{id}/services': { sample: ({ accountId }) => ({ params: { id: accountId } }), expect: theirAdmins },
  'POST /api/users': {
    sample: () => ({
      body: {
        email: 'new@nordvik.example',
        firstName: 'New',
        lastName: 'Colleague',
        loginMethod: 'local',
        password: testPassword,
        confirmNewPassword: testPassword,
      },
    }),
    expect: superUsersAtAll,
  },
  'PUT /api/users': {
    sample: ({ accountId }) => ({ body: { accountId, firstName: 'Changed' } }),
    expect: organizationAdmins,
  },
  'DELETE /api/users/{id}': {
    sample: ({ accountId }) => ({ params: { id: accountId } }),
    // A user cannot delete their own account.
    expect: { ...superUsersOnly, superUser: '3yy4' },
  },
  'POST /api/users/{id}/ssn/reveal': {
    sample: ({ accountId }) => ({ params: { id: accountId } }),
    expect: superUsersOnly,
  },
  // Nobody here has a factor to lose: recoveries.test.ts.
  'GET /api/users/{id}/recovery': {
    sample: ofUser,
    expect: { ...others('3333'), organizationAdmin: '3y44', superUser: '3yy4' },
  },
  'POST /api/users/{id}/recovery': {
    sample: (target) => ({ ...ofUser(target), body: { reason: 'Lost' } }),
    expect: { ...others('3333'), organizationAdmin: '3944', superUser: '3994' },
  },
  'POST /api/users/{id}/recovery/confirm': { sample: ofUser, expect: withoutRecovery },
  'DELETE /api/users/{id}/recovery': { sample: ofUser, expect: withoutRecovery },
  'POST /api/users/{id}/last-active/{value}': {
    sample: ({ accountId }) => ({ params: { id: accountId, value: 'now' } }),
    expect: organizationAdmins,
  },
  'POST /api/users/{userId}/organization/{organizationId}/service': {
    sample: ({ accountId, organizationId, serviceId }) => ({
      params: { userId: accountId, organizationId },
      body: { services: [{ serviceId, userRole: 'regular' }] },
    }),
    // The first target is a service admin, whose role a service admin cannot remove.
    expect: { ...serviceAdmins, serviceAdmin: '3y44' },
  },
  'DELETE /api/users/{userId}/organization/{organizationId}': {
    sample: ({ accountId, organizationId }) => ({ params: { userId: accountId, organizationId } }),
    expect: organizationAdmins,
  },
  ...Object.fromEntries(
    ['resend-invitations', 'mark-active', 'extend', 'remove'].map((action): [string, Case] => [
      `POST /api/organizations/{id}/users/${action}`,
      {
        sample: ({ organizationId, accountId, invitationId }) => ({
          params: { id: organizationId },
          body: { accountIds: [accountId, invitationId] },
        }),
        expect: organizationAdmins,
      },
    ]),
  ),
  ...Object.fromEntries(
    ['assign-service', 'revoke-service'].map((action): [string, Case] => [
      `POST /api/organizations/{id}/users/${action}`,
      {
        sample: ({ organizationId, accountId, invitationId, serviceId }) => ({
          params: { id: organizationId },
          body: { accountIds: [accountId, invitationId], serviceId },
        }),
        expect: organizationAdmins,
      },
    ]),
  ),
  'GET /api/organizations/{organizationId}/roles': {
    sample: ({ organizationId }) => ({ params: { organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/organizations/{organizationId}/roles/{roleId}': { sample: ofRole, expect: organizationAdmins },
  'POST /api/organizations/{organizationId}/roles': {
    sample: ({ organizationId }) => ({
      params: { organizationId },
      body: { name: 'Porter', permissions: ['readPeople'] },
    }),
    expect: organizationAdmins,
  },
  'PUT /api/organizations/{organizationId}/roles/{roleId}': {
    sample: (target) => ({ ...ofRole(target), body: { permissions: ['readPeople', 'readAudit'] } }),
    expect: organizationAdmins,
  },
  'DELETE /api/organizations/{organizationId}/roles/{roleId}': {
    sample: ofRole,
    // The first two targets are in the same organisation.
    expect: organizationAdmins,
  },
  'GET /api/users/{id}/what-ends': {
    sample: ({ accountId }) => ({ params: { id: accountId } }),
    expect: superUsersOnly,
  },
  'GET /api/users/{userId}/organization/{organizationId}/what-ends': {
    sample: ({ accountId, organizationId }) => ({ params: { userId: accountId, organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/users/{userId}/organization/{organizationId}/roles': {
    sample: ({ accountId, organizationId }) => ({ params: { userId: accountId, organizationId } }),
    expect: organizationAdmins,
  },
  'POST /api/users/{userId}/organization/{organizationId}/roles': {
    sample: ({ accountId, organizationId }) => ({
      params: { userId: accountId, organizationId },
      body: { roles: [{ role: 'auditor' }] },
    }),
    // Nobody gives themselves a role.
    expect: { ...organizationAdmins, organizationAdmin: '3y44' },
  },
  'GET /api/service-roles': {
    sample: ({ serviceId }) => ({ query: { serviceId } }),
    expect: superUsersOnly,
  },
  'GET /api/service-roles/{id}': { sample: () => ({ params: { id: none } }), expect: superUsersOfNothing },
  'POST /api/service-roles': {
    // A key is used once.
    sample: ({ serviceId, accountId }) => ({ body: { serviceId, key: `role-${accountId}`, nameSv: 'Doctor' } }),
    expect: { ...others('3333'), superUser: 'yyy2' },
  },
  'PUT /api/service-roles': { sample: () => ({ body: { roleId: none } }), expect: superUsersOfNothing },
  'DELETE /api/service-roles/{id}': { sample: () => ({ params: { id: none } }), expect: superUsersOfNothing },
  'GET /api/services/{id}/roles': {
    sample: ({ serviceId }) => ({ params: { id: serviceId } }),
    expect: superUsersOnly,
  },
  'POST /api/services/{id}/roles/dry-run': {
    sample: ({ serviceId }) => ({ params: { id: serviceId }, body: { roles: [] } }),
    expect: superUsersOnly,
  },
  'PUT /api/services/{id}/roles': {
    sample: ({ serviceId }) => ({ params: { id: serviceId }, body: { roles: [] } }),
    expect: superUsersOnly,
  },
  'GET /api/organizations/{organizationId}/groups': {
    sample: ({ organizationId }) => ({ params: { organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/organizations/{organizationId}/group-names': {
    sample: ({ organizationId }) => ({ params: { organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/users/{userId}/organization/{organizationId}/groups': {
    sample: ({ accountId, organizationId }) => ({ params: { userId: accountId, organizationId } }),
    expect: organizationAdmins,
  },
  'POST /api/groups': {
    // A name is used once.
    sample: ({ organizationId }) => ({ body: { organizationId, name: `Group ${++named}` } }),
    expect: organizationAdmins,
  },
  'PUT /api/groups': { sample: ({ groupId }) => ({ body: { groupId, name: 'Changed' } }), expect: organizationAdmins },
  ...Object.fromEntries(
    [
      'GET /api/groups/{id}',
      'GET /api/groups/{id}/what-ends',
      'GET /api/groups/{id}/members',
      'GET /api/groups/{id}/admins',
      'DELETE /api/groups/{id}',
    ].map((call): [string, Case] => [
      call,
      { sample: ({ groupId }) => ({ params: { id: groupId } }), expect: organizationAdmins },
    ]),
  ),
  ...Object.fromEntries(
    ['members', 'members/remove'].map((what): [string, Case] => [
      `POST /api/groups/{id}/${what}`,
      {
        sample: ({ groupId, accountId, invitationId }) => ({
          params: { id: groupId },
          body: { accountIds: [accountId, invitationId] },
        }),
        expect: organizationAdmins,
      },
    ]),
  ),
  'POST /api/groups/{id}/people': {
    sample: ({ groupId, email }) => ({ params: { id: groupId }, body: { email } }),
    // Colleagues are in it already.
    expect: { ...organizationAdmins, organizationAdmin: 'y944', superUser: 'y994' },
  },
  'POST /api/groups/{id}/admins': {
    sample: ({ groupId, email }) => ({ params: { id: groupId }, body: { email } }),
    expect: { ...organizationAdmins, organizationAdmin: '3y44' },
  },
  // Nobody is one.
  'DELETE /api/groups/{id}/admins/{accountId}': {
    sample: ({ groupId, accountId }) => ({ params: { id: groupId, accountId } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'GET /api/organizations/{organizationId}/service-roles': {
    sample: ({ organizationId }) => ({ params: { organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/users/{userId}/organization/{organizationId}/service-roles': {
    sample: ({ accountId, organizationId }) => ({ params: { userId: accountId, organizationId } }),
    expect: organizationAdmins,
  },
  'POST /api/users/{userId}/organization/{organizationId}/service/{serviceId}/roles': {
    sample: ({ accountId, organizationId, serviceId }) => ({
      params: { userId: accountId, organizationId, serviceId },
      body: { roleIds: [] },
    }),
    expect: organizationAdmins,
  },
  ...Object.fromEntries(
    ['assign-role', 'revoke-role'].map((action): [string, Case] => [
      `POST /api/organizations/{id}/users/${action}`,
      {
        sample: ({ organizationId, accountId }) => ({
          params: { id: organizationId },
          body: { accountIds: [accountId], roleId: none },
        }),
        // The organisation has no such role.
        expect: { ...organizationAdmins, organizationAdmin: '2244', superUser: '2224' },
      },
    ]),
  ),
  'POST /api/services/{serviceId}/{organizationId}/users': {
    sample: ({ serviceId, organizationId, email }) => ({ params: { serviceId, organizationId }, body: { email } }),
    // All these targets already have the service.
    expect: { ...serviceAdmins, serviceAdmin: '9944', organizationAdmin: '9944', superUser: '9994' },
  },
  'GET /api/services/{serviceId}/{organizationId}/owners': {
    sample: ({ serviceId, organizationId }) => ({ params: { serviceId, organizationId } }),
    expect: organizationAdmins,
  },
  'POST /api/services/{serviceId}/{organizationId}/owners': {
    sample: ({ serviceId, organizationId, email }) => ({ params: { serviceId, organizationId }, body: { email } }),
    expect: { ...organizationAdmins, organizationAdmin: '3y44' },
  },
  // Nobody is one.
  'DELETE /api/services/{serviceId}/{organizationId}/owners/{accountId}': {
    sample: ({ serviceId, organizationId, accountId }) => ({ params: { serviceId, organizationId, accountId } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'DELETE /api/services/{serviceId}/{organizationId}/users/{accountId}': {
    sample: ({ serviceId, organizationId, accountId }) => ({ params: { serviceId, organizationId, accountId } }),
    expect: { ...serviceAdmins, serviceAdmin: '3y44' },
  },

  'GET /api/organizations': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/list': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: members,
  },
  'GET /api/organizations/{id}/locked-out': {
    sample: ({ organizationId }) => ({ params: { id: organizationId }, query: { samlConfigId: '1' } }),
    expect: superUsersOnly,
  },
  'GET /api/organizations/{id}/services': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: members,
  },
  'POST /api/organizations': { sample: () => ({ body: organizationForm }), expect: superUsersAtAll },
  'PUT /api/organizations': {
    sample: ({ organizationId }) => ({ body: { ...organizationForm, organizationId } }),
    expect: superUsersOnly,
  },
  'DELETE /api/organizations/{id}': {
    sample: ({ organizationId }) => ({ params: { id: organizationId }, query: { force: 'true' } }),
    // The first two targets are in the same organisation, which can be deleted only once.
    expect: { ...superUsersOnly, superUser: 'yyy4' },
  },

  'GET /api/notices/current': { sample: nothing, expect: everySignedIn },
  'GET /api/service-categories': { sample: nothing, expect: superUsersAtAll },
  'GET /api/service-people': { sample: nothing, expect: superUsersAtAll },
  'PUT /api/service-categories': { sample: () => ({ body: { categories: ['Care'] } }), expect: superUsersAtAll },
  // No service has this image.
  'GET /service-icons/{file}': {
    sample: () => ({ params: { file: `${'0'.repeat(64)}.png` } }),
    expect: { ...others('4'), superUser: '4' },
  },
  ...managed({
    url: '/api/services',
    id: 'serviceId',
    form: { name: 'New', url: 'https://new.example' },
    of: ({ serviceId }) => serviceId,
    removal: { query: { force: 'true' } },
  }),

  'GET /api/access-reviews': { sample: nothing, expect: superUsersAtAll },
  'GET /api/access-reviews/asked': { sample: nothing, expect: everySignedIn },
  // Members who are asked for nothing get 404.
  'GET /api/organizations/{id}/access-review': {
    sample: ofOrganization,
    expect: { ...others('4444'), organizationAdmin: 'yy44', superUser: 'yyy4' },
  },
  'POST /api/organizations/{id}/access-review': { sample: ofOrganization, expect: organizationAdmins },
  // No review is open.
  'POST /api/organizations/{id}/access-review/decisions': {
    sample: (target) => ({ ...ofOrganization(target), body: { rowIds: [none], from: null, decision: 'keep' } }),
    expect: { ...others('4444'), organizationAdmin: '9944', superUser: '9994' },
  },
  'POST /api/organizations/{id}/access-review/at-once': {
    sample: (target) => ({ ...ofOrganization(target), body: { accountId: target.accountId, rowIds: [none] } }),
    expect: { ...others('3333'), organizationAdmin: '9944', superUser: '9994' },
  },
  'POST /api/organizations/{id}/access-review/reviewers': {
    sample: (target) => ({
      ...ofOrganization(target),
      body: { accountId: target.accountId, serviceId: target.serviceId },
    }),
    expect: { ...others('3333'), organizationAdmin: '9944', superUser: '9994' },
  },
  'DELETE /api/organizations/{id}/access-review/reviewers/{serviceId}/{accountId}': {
    sample: ({ organizationId, accountId, serviceId }) => ({ params: { id: organizationId, accountId, serviceId } }),
    expect: { ...others('3333'), organizationAdmin: '9944', superUser: '9994' },
  },
  'POST /api/organizations/{id}/access-review/reminder': {
    sample: ofOrganization,
    expect: { ...others('3333'), organizationAdmin: '9944', superUser: '9994' },
  },
  'POST /api/organizations/{id}/access-review/finish': {
    sample: (target) => ({ ...ofOrganization(target), body: { takeBack: 0 } }),
    expect: { ...others('3333'), organizationAdmin: '9944', superUser: '9994' },
  },
  'GET /api/organizations/{id}/access-review/report': {
    sample: ofOrganization,
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },

  'GET /api/services/{id}/client': {
    sample: ({ serviceId }) => ({ params: { id: serviceId } }),
    expect: superUsersOnly,
  },
  'PUT /api/services/{id}/client': {
    sample: ({ serviceId }) => ({
      params: { id: serviceId },
      body: { kind: 'web', redirectUris: ['https://new.example/callback'] },
    }),
    expect: superUsersOnly,
  },
  // The services have no client.
  'DELETE /api/services/{id}/client': noClient,
  'GET /api/services/{id}/client/sign-outs': {
    sample: ({ serviceId }) => ({ params: { id: serviceId } }),
    expect: superUsersOnly,
  },
  'POST /api/services/{id}/client/secrets': {
    ...noClient,
    sample: (target) => ({ ...noClient.sample(target), body: {} }),
  },
  'DELETE /api/services/{id}/client/secrets/previous': noClient,
  'POST /api/services/{id}/client/try': {
    ...noClient,
    sample: (target) => ({ ...noClient.sample(target), body: {} }),
  },
  'POST /api/services/{id}/client/test-logout': noClient,

  'GET /api/saml-configs/{id}/sign-ins': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId } }),
    expect: superUsersOnly,
  },
  'POST /api/oidc-configs': { sample: () => ({ body: oidcConfigForm }), expect: superUsersAtAll },
  // The configuration is one of SAML.
  'PUT /api/oidc-configs': {
    sample: ({ samlConfigId }) => ({ body: { ...oidcConfigForm, id: samlConfigId } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'POST /api/oidc-configs/test': {
    sample: ({ samlConfigId }) => ({ body: { ...oidcConfigForm, id: samlConfigId } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'POST /api/saml-configs/reservations': { sample: nothing, expect: superUsersAtAll },
  'POST /api/saml-configs/test': {
    sample: ({ samlConfigId }) => ({ body: { ...samlConfigForm, id: samlConfigId } }),
    expect: superUsersOnly,
  },
  // No test sign-in has this ticket.
  'GET /api/saml-configs/{id}/test-result': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId }, query: { ticket: 'made-up' } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'POST /api/saml-configs/read-metadata': {
    sample: () => ({ body: { metadata: identityProviderMetadata } }),
    expect: superUsersAtAll,
  },
  'GET /api/saml-setups': { sample: nothing, expect: superUsersAtAll },
  'POST /api/saml-setups': {
    sample: ({ organizationId }) => ({ body: { organizationId } }),
    expect: { ...others('3333'), superUser: 'yyy2' },
  },
  // No link has this id.
  'GET /api/saml-setups/{id}': { sample: noSetup, expect: superUsersOfNothing },
  'POST /api/saml-setups/{id}/revoke': { sample: noSetup, expect: superUsersOfNothing },
  'POST /api/saml-setups/{id}/approve': {
    sample: () => ({ ...noSetup(), body: { name: 'New', domain: 'https://new.example', version: 1 } }),
    expect: superUsersOfNothing,
  },
  'POST /api/saml-setups/{id}/reject': {
    sample: () => ({ ...noSetup(), body: { reason: 'No', version: 1 } }),
    expect: superUsersOfNothing,
  },
  'POST /api/saml-setup': { sample: () => ({ body: { token: 'made-up' } }), expect: 404 },
  'POST /api/saml-setup/metadata': {
    sample: () => ({ body: { token: 'made-up', metadata: identityProviderMetadata } }),
    expect: 404,
  },
  'POST /api/saml-setup/metadata-address': {
    sample: () => ({ body: { token: 'made-up', address: 'https://idp.new.example' } }),
    expect: 404,
  },
  'POST /api/saml-setup/oidc': {
    sample: () => ({
      body: { token: 'made-up', url: 'https://login.example', clientId: 'portal', clientSecret: 'secret' },
    }),
    expect: 404,
  },
  'POST /api/saml-setup/test': { sample: () => ({ body: { token: 'made-up' } }), expect: 404 },
  'POST /api/saml-setup/hand-in': { sample: () => ({ body: { token: 'made-up', version: 1 } }), expect: 404 },
  'POST /api/saml-setup/directory': { sample: () => ({ body: { token: 'made-up' } }), expect: 404 },
  'POST /api/saml-setup/directory/tokens': {
    sample: () => ({ body: { token: 'made-up', name: 'Entra ID' } }),
    expect: 404,
  },
  'GET /saml-setup': { sample: nothing, expect: 200 },
  'GET /saml-setup/{token}': { sample: () => ({ params: { token: 'made-up' } }), expect: 200 },

  'GET /api/saml-metadata-watches': { sample: nothing, expect: superUsersAtAll },
  'GET /api/saml-configs/{id}/metadata': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId } }),
    expect: superUsersOnly,
  },
  'PUT /api/saml-configs/{id}/metadata': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId }, body: { address: null } }),
    expect: superUsersOnly,
  },
  // No address is watched.
  'POST /api/saml-configs/{id}/metadata/refresh': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'POST /api/saml-configs/{id}/metadata/confirm': {
    sample: ({ samlConfigId }) => ({
      params: { id: samlConfigId },
      body: { fingerprints: [Array(32).fill('AB').join(':')], version: 1 },
    }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'GET /api/saml-configs/{id}/domains': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId } }),
    expect: superUsersOnly,
  },
  'POST /api/saml-configs/{id}/domains': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId }, body: { domain: 'further.example' } }),
    expect: superUsersOnly,
  },
  // Nobody added this domain.
  'POST /api/saml-configs/{id}/domains/check': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId }, body: { domain: 'missing.example' } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'POST /api/saml-configs/{id}/domains/confirm': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId }, body: { domain: 'missing.example', reason: 'x' } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  'POST /api/saml-configs/{id}/domains/remove': {
    sample: ({ samlConfigId }) => ({ params: { id: samlConfigId }, body: { domain: 'missing.example' } }),
    expect: { ...others('3333'), superUser: '4444' },
  },
  // Nothing answers at this address.
  'POST /api/saml-configs/fetch-metadata': {
    sample: () => ({ body: { address: 'http://127.0.0.1:9/metadata' } }),
    expect: { ...others('3'), superUser: '2' },
  },
  'POST /api/saml-configs/check-certificates': {
    sample: () => ({ body: { certificate: samlConfigForm.certificate } }),
    expect: superUsersAtAll,
  },

  'POST /api/invites': {
    sample: ({ organizationId }) => ({ body: { email: 'invited@nordvik.example', organizationId } }),
    expect: organizationAdmins,
  },
  'POST /api/invites/resend-invite': {
    sample: ({ invitedEmail, organizationId }) => ({ body: { email: invitedEmail, organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/invites/{email}/user/{organizationId}/organization': {
    sample: ({ invitedEmail, organizationId }) => ({ params: { email: invitedEmail, organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/invites/{email}/user/{organizationId}/delivery': {
    sample: ({ invitedEmail, organizationId }) => ({ params: { email: invitedEmail, organizationId } }),
    expect: organizationAdmins,
  },
  'GET /api/invites/mine': { sample: nothing, expect: everySignedIn },
  // Only for the owner of the invited address, which this test does not have: server/features/invitations/membership-needs-consent.test.ts.
  'POST /api/invites/{id}/join': {
    sample: ({ invitationId }) => ({ params: { id: invitationId } }),
    expect: { ...others('4444'), superUser: '4444' },
  },
  'POST /api/invites/{id}/decline': {
    sample: ({ invitationId }) => ({ params: { id: invitationId } }),
    expect: { ...others('4444'), superUser: '4444' },
  },
  'POST /api/invites/join': {
    sample: () => ({ body: { token: 'made-up' } }),
    expect: { ...others('4'), superUser: '4' },
  },
  'POST /api/invites/decline': {
    sample: () => ({ body: { token: 'made-up' } }),
    expect: { ...others('4'), superUser: '4' },
  },
  'POST /api/invites/bulk/dry-run': { sample: importSample, expect: organizationAdmins },
  'POST /api/invites/bulk': { sample: importSample, expect: organizationAdmins },
  'GET /api/invites': { sample: () => ({ query: { token: 'made-up' } }), expect: 404 },
  'POST /api/invites/accept': {
    sample: ({ email }) => ({
      body: {
        email,
        token: 'made-up',
        firstName: 'Made',
        lastName: 'Up',
        loginMethod: 'local',
        password: 'Brown-otter-42-lamp',
        confirmNewPassword: 'Brown-otter-42-lamp',
      },
    }),
    expect: 404,
  },
  'GET /accept-invitation': { sample: nothing, expect: 200 },
  'GET /accept-invitation/{token}': { sample: () => ({ params: { token: 'made-up' } }), expect: 200 },

  'GET /api/email-templates/{type}': { sample: () => ({ params: { type: 'user-invite' } }), expect: superUsersAtAll },
  'GET /api/email-templates/{type}/text': {
    sample: () => ({ params: { type: 'user-invite' } }),
    expect: superUsersAtAll,
  },
  'POST /api/email-templates/{type}/test': {
    sample: () => ({ params: { type: 'user-invite' }, body: {} }),
    expect: superUsersAtAll,
  },
  'GET /api/email-templates/{type}/texts': {
    sample: () => ({ params: { type: 'login-code' }, query: { language: 'sv' } }),
    expect: superUsersAtAll,
  },
  'PUT /api/email-templates/{type}/texts': {
    sample: () => ({ params: { type: 'login-code' }, body: { language: 'sv', ...templateText } }),
    expect: superUsersAtAll,
  },
  'POST /api/email-templates/{type}/texts/publish': {
    sample: () => ({ params: { type: 'login-code' }, body: { language: 'sv' } }),
    expect: superUsersAtAll,
  },
  'POST /api/email-templates/{type}/preview': {
    sample: () => ({ params: { type: 'login-code' }, body: { language: 'sv', ...templateText } }),
    expect: superUsersAtAll,
  },

  'GET /login': { sample: () => ({ query: { returnTo: '/' } }), expect: 303 },
  'GET /login/company/{id}': { sample: ({ samlConfigId }) => ({ params: { id: String(samlConfigId) } }), expect: 303 },
  'POST /login/company/{id}': {
    sample: ({ samlConfigId }) => ({ params: { id: String(samlConfigId) }, body: {} }),
    expect: 303,
  },
  'GET /signed-in': { sample: nothing, expect: 303 },
  'GET /interaction/{uid}': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 303 },
  'GET /interaction/{uid}/login': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 303 },
  'POST /interaction/{uid}/login': {
    sample: ({ email }) => ({
      params: { uid: 'of-another-browser' },
      body: { email, login: email, password: 'wrong' },
    }),
    expect: 303,
  },
  'POST /interaction/{uid}/passkey': {
    sample: () => ({ params: { uid: 'of-another-browser' }, body: {} }),
    expect: 303,
  },
  'GET /interaction/{uid}/saml': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 303 },
  'GET /interaction/{uid}/saml/complete': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 303 },
  'POST /saml/{id}/acs': {
    sample: ({ samlConfigId }) => ({
      params: { id: String(samlConfigId) },
      body: { SAMLResponse: 'made up', RelayState: 'made up' },
    }),
    expect: 303,
  },
  'GET /saml/{id}/slo': {
    sample: ({ samlConfigId }) => ({ params: { id: String(samlConfigId) }, query: { SAMLRequest: 'made up' } }),
    expect: 303,
  },
  'POST /saml/{id}/slo': {
    sample: ({ samlConfigId }) => ({ params: { id: String(samlConfigId) }, body: { SAMLRequest: 'made up' } }),
    expect: 303,
  },
  'GET /company-oidc/jwks': { sample: nothing, expect: 200 },
  'GET /company-oidc/{id}/callback': {
    sample: ({ samlConfigId }) => ({
      params: { id: String(samlConfigId) },
      query: { code: 'made up', state: 'made up' },
    }),
    expect: 303,
  },
  'GET /saml/{id}/send': {
    sample: ({ samlConfigId }) => ({ params: { id: String(samlConfigId) }, query: { ticket: 'made up' } }),
    expect: 404,
  },
  'GET /saml/{id}/metadata': {
    // Existing metadata is public, and has a test of its own.
    sample: () => ({ params: { id: '2000000000' } }),
    expect: 404,
  },
  'POST /interaction/{uid}/bankid/start': {
    sample: ({ email }) => ({ params: { uid: 'of-another-browser' }, body: { email } }),
    expect: 404,
  },
  'GET /interaction/{uid}/bankid': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 404 },
  'POST /interaction/{uid}/bankid/cancel': {
    sample: () => ({ params: { uid: 'of-another-browser' }, body: {} }),
    expect: 404,
  },
  'GET /interaction/{uid}/bankid/back': {
    sample: () => ({ params: { uid: 'of-another-browser' }, query: { nonce: 'made-up' } }),
    expect: 303,
  },
  'POST /interaction/{uid}/bankid': {
    sample: ({ email }) => ({ params: { uid: 'of-another-browser' }, body: { email } }),
    expect: 303,
  },
  'GET /api/authType': { sample: ({ email }) => ({ query: { email } }), expect: 200 },
  'POST /api/verify-credentials': { sample: ({ email }) => ({ body: { email, password: 'wrong' } }), expect: 401 },
  'POST /api/start-2fa-login': { sample: ({ email }) => ({ body: { email, password: 'wrong' } }), expect: 401 },
  'POST /api/verify-credentials-2fa': {
    sample: ({ email }) => ({ body: { email, password: 'wrong', code: '123456' } }),
    expect: 401,
  },
  'GET /api/2fa-delivery': { sample: nothing, expect: 404 },
  // Anyone may request a link for anyone; for the rights of admins see server/features/password-reset/request-reset.test.ts.
  'POST /api/initiate-password-reset': { sample: () => ({ body: { email: 'nobody@nowhere.example' } }), expect: 204 },
  'GET /api/reset-password/{token}': { sample: () => ({ params: { token: 'made-up' } }), expect: 404 },
  'POST /api/reset-password': {
    sample: ({ email }) => ({
      body: {
        email,
        newPassword: 'Brown-otter-42-lamp',
        confirmNewPassword: 'Brown-otter-42-lamp',
        token: 'made-up',
      },
    }),
    expect: 404,
  },
  'GET /reset-password': { sample: nothing, expect: 200 },
  'GET /reset-password/{token}': { sample: () => ({ params: { token: 'made-up' } }), expect: 200 },
  'GET /logout': { sample: nothing, expect: 200 },
  'POST /logout': { sample: () => ({ body: {} }), expect: 303 },
  'GET /privacy': { sample: nothing, expect: 200 },
  'GET /privacy/kept': { sample: nothing, expect: 200 },
  'GET /accessibility': { sample: nothing, expect: 200 },
  'GET /not-me': { sample: nothing, expect: 200 },
  'GET /not-me/{token}': { sample: () => ({ params: { token: 'made-up' } }), expect: 200 },
  // not-me.test.ts has one that is good.
  'POST /not-me/{token}': { sample: () => ({ params: { token: 'made-up' }, body: {} }), expect: 404 },
  'GET /session-expired': { sample: nothing, expect: 200 },
  'GET /signed-out': { sample: nothing, expect: 200 },
  'GET /signed-out/services': { sample: nothing, expect: 200 },

  'GET /dev/bankid': { sample: nothing, expect: 200 },
  'POST /dev/bankid': { sample: () => ({ body: { action: 'scan', qrData: 'none' } }), expect: 303 },
  'GET /dev/bankid/waiting': { sample: nothing, expect: 200 },
  'GET /dev/bankid.css': { sample: nothing, expect: 200 },
  'GET /dev/bankid.js': { sample: nothing, expect: 200 },
  'GET /dev/outbox': { sample: nothing, expect: 200 },
  'GET /dev/outbox/{id}': { sample: () => ({ params: { id: '00000000-0000-7000-8000-000000000000' } }), expect: 404 },
  'GET /dev/outbox.css': { sample: nothing, expect: 200 },
}
