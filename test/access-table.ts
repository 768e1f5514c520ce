import { testPassword } from './people.ts'
import type { Role, Target } from './world.ts'

/** A request of a call: what goes into its path, its query and its body. */
export interface Sample {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
}

/**
 * What each role gets for each distance, a sign each, in the order own, same organisation, foreign, missing:
 * `y` an answer, `3` 403, `4` 404, `9` 409: what only somebody meets who may. One sign for a call that is about nothing in particular. Nobody and passive people
 * always get 401.
 */
type Answers = Record<Exclude<Role, 'passiveUser'>, string>

export interface Case {
  sample: (target: Target) => Sample
  /** A number: everybody gets this status, signed in or not. */
  expect: Answers | number
}

const everySignedIn: Answers = { user: 'y', serviceAdmin: 'y', organizationAdmin: 'y', superUser: 'y', otherUser: 'y' }
const others = (sign: string) => ({ user: sign, serviceAdmin: sign, organizationAdmin: sign, otherUser: sign })
/** Super users alone, and what they ask for exists or not. */
const superUsersOnly: Answers = { ...others('3333'), superUser: 'yyy4' }
const superUsersAtAll: Answers = { ...others('3'), superUser: 'y' }
/** The person itself, and super users. */
const own: Answers = { ...others('y444'), superUser: 'yyy4' }
/** Admins of the organisation, and super users. */
const organizationAdmins: Answers = { ...others('3333'), organizationAdmin: 'yy44', superUser: 'yyy4' }
/** The same, and the admins of the service there. */
const serviceAdmins: Answers = { ...organizationAdmins, serviceAdmin: 'yy44' }
/** The person itself, and whoever administers an organisation or a service of theirs. */
const theirAdmins: Answers = { ...own, serviceAdmin: 'yy44', organizationAdmin: 'yy44' }
/** Members of an organisation: everybody has the own one and no other. */
const members: Answers = { ...others('yy44'), superUser: 'yyy4' }

const nothing = () => ({})
const organizationForm = { name: 'Changed AB', loginMethod: 'local' }
const importSample = ({ organizationId }: Target) => ({
  body: { organizationId, rows: [{ email: 'imported@nordvik.example' }] },
})

/**
 * Every call with a request that is right, and who gets what: written from product.md, section 5, and not from
 * permissions.ts, so that the two can disagree. A call that is missing here fails the tests.
 */
export const accessTable: Record<string, Case> = {
  'GET /api/me': { sample: nothing, expect: everySignedIn },
  'PUT /api/profile': { sample: () => ({ body: { firstName: 'Changed' } }), expect: everySignedIn },
  'PUT /api/profile/draft': { sample: () => ({ body: { firstName: 'Changed' } }), expect: everySignedIn },
  'GET /api/profile/draft': { sample: nothing, expect: everySignedIn },
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
  'GET /api/profile/sessions': { sample: nothing, expect: everySignedIn },
  // Sessions have ids of their own, which nobody else can name: server/features/profile/own-sessions.test.ts.
  'DELETE /api/profile/sessions/{id}': {
    sample: () => ({ params: { id: '0123456789abcdef0123456789abcdef' } }),
    expect: { user: '4', serviceAdmin: '4', organizationAdmin: '4', superUser: '4', otherUser: '4' },
  },
  'DELETE /api/profile/sessions': { sample: nothing, expect: everySignedIn },
  'GET /api/session-expire': { sample: nothing, expect: 200 },
  'GET /api/portal': { sample: nothing, expect: 200 },
  'GET /api/openapi.json': { sample: nothing, expect: 200 },
  'GET /api/docs': { sample: nothing, expect: 200 },
  'POST /client-errors': { sample: () => ({ body: { url: '/', error: 'Error: broken' } }), expect: 204 },

  'GET /api/users/{id}/organizations': { sample: ({ accountId }) => ({ params: { id: accountId } }), expect: own },
  'GET /api/users/{id}/admin-services': { sample: ({ accountId }) => ({ params: { id: accountId } }), expect: own },
  'GET /api/users/{accountId}/{organizationId}/services': {
    sample: ({ accountId, organizationId }) => ({ params: { accountId, organizationId } }),
    expect: { ...own, organizationAdmin: 'yy44' },
  },

  'GET /api/users': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}/users': {
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
    // Nobody erases the own account.
    expect: { ...superUsersOnly, superUser: '3yy4' },
  },
  'POST /api/users/{id}/last-active/{value}': {
    sample: ({ accountId }) => ({ params: { id: accountId, value: 'now' } }),
    expect: organizationAdmins,
  },
  'POST /api/users/{userId}/organization/{organizationId}/service': {
    sample: ({ accountId, organizationId, serviceId }) => ({
      params: { userId: accountId, organizationId },
      body: { services: [{ serviceId, userRole: 'regular' }] },
    }),
    expect: serviceAdmins,
  },
  'DELETE /api/users/{userId}/organization/{organizationId}': {
    sample: ({ accountId, organizationId }) => ({ params: { userId: accountId, organizationId } }),
    expect: organizationAdmins,
  },
  'POST /api/services/{serviceId}/{organizationId}/users': {
    sample: ({ serviceId, organizationId, email }) => ({ params: { serviceId, organizationId }, body: { email } }),
    // Everybody here has the service already.
    expect: { ...serviceAdmins, serviceAdmin: '9944', organizationAdmin: '9944', superUser: '9994' },
  },
  'DELETE /api/services/{serviceId}/{organizationId}/users/{accountId}': {
    sample: ({ serviceId, organizationId, accountId }) => ({ params: { serviceId, organizationId, accountId } }),
    expect: serviceAdmins,
  },

  'GET /api/organizations': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/list': { sample: nothing, expect: superUsersAtAll },
  'GET /api/organizations/{id}': {
    sample: ({ organizationId }) => ({ params: { id: organizationId } }),
    expect: members,
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
    // The own organisation and that of a colleague are one: it goes once.
    expect: { ...superUsersOnly, superUser: 'yyy4' },
  },

  'GET /api/services': { sample: nothing, expect: superUsersAtAll },
  'GET /api/services/{id}': { sample: ({ serviceId }) => ({ params: { id: serviceId } }), expect: superUsersOnly },
  'POST /api/services': {
    sample: () => ({ body: { name: 'New', url: 'https://new.example' } }),
    expect: superUsersAtAll,
  },
  'PUT /api/services': {
    sample: ({ serviceId }) => ({ body: { serviceId, name: 'Changed', url: 'https://changed.example' } }),
    expect: superUsersOnly,
  },
  'DELETE /api/services/{id}': {
    sample: ({ serviceId }) => ({ params: { id: serviceId }, query: { force: 'true' } }),
    expect: superUsersOnly,
  },

  'GET /api/saml-configs': { sample: nothing, expect: superUsersAtAll },

  'POST /api/invites': {
    sample: ({ organizationId }) => ({ body: { email: 'invited@nordvik.example', organizationId } }),
    expect: organizationAdmins,
  },
  // Only for pending people, whom no world has: server/features/invitations/invite.test.ts.
  'POST /api/invites/resend-invite': {
    sample: ({ email, organizationId }) => ({ body: { email, organizationId } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'GET /api/invites/{email}/user/{organizationId}/organization': {
    sample: ({ email, organizationId }) => ({ params: { email, organizationId } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
  },
  'GET /api/invites/{email}/user/{organizationId}/delivery': {
    sample: ({ email, organizationId }) => ({ params: { email, organizationId } }),
    expect: { ...others('3333'), organizationAdmin: '4444', superUser: '4444' },
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
  'GET /accept-invitation/{token}': { sample: () => ({ params: { token: 'made-up' } }), expect: 200 },

  'GET /api/email-templates/{type}': { sample: () => ({ params: { type: 'user-invite' } }), expect: superUsersAtAll },

  'GET /login': { sample: () => ({ query: { returnTo: '/' } }), expect: 303 },
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
  'GET /interaction/{uid}/saml': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 303 },
  'GET /interaction/{uid}/saml/complete': { sample: () => ({ params: { uid: 'of-another-browser' } }), expect: 303 },
  'POST /saml/{id}/acs': {
    sample: ({ samlConfigId }) => ({
      params: { id: String(samlConfigId) },
      body: { SAMLResponse: 'made up', RelayState: 'made up' },
    }),
    expect: 303,
  },
  'GET /saml/{id}/metadata': {
    // One that is there is anybody's to read, and has a test of its own.
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
  // Anybody may have anybody mailed a link; what an admin may besides: server/features/password-reset/request-reset.test.ts.
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
  'GET /session-expired': { sample: nothing, expect: 200 },

  'GET /dev/bankid': { sample: nothing, expect: 200 },
  'POST /dev/bankid': { sample: () => ({ body: { action: 'scan', qrData: 'none' } }), expect: 303 },
  'GET /dev/bankid/waiting': { sample: nothing, expect: 200 },
  'GET /dev/bankid.css': { sample: nothing, expect: 200 },
  'GET /dev/bankid.js': { sample: nothing, expect: 200 },
  'GET /dev/outbox': { sample: nothing, expect: 200 },
  'GET /dev/outbox/{id}': { sample: () => ({ params: { id: '00000000-0000-7000-8000-000000000000' } }), expect: 404 },
  'GET /dev/outbox.css': { sample: nothing, expect: 200 },
}
