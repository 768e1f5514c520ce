import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { maskSsn } from '#server/platform/secrets/ssn.ts'
import { type EntityKind, type Here, member } from './entity-kind.ts'
import { asUpload, pngImage } from './images.ts'
import { type ManagedNoun, managedNouns } from './managed-nouns.ts'
import { testPassword } from './people.ts'
import { selfSigned } from './saml/certificate.ts'
import type { TestApp } from './test-app.ts'

type Json = Record<string, unknown>
let people = 0
/** A group gives services of its own organisation, in which names are used once; test files share this module. */
const groupPlaces = new WeakMap<TestApp, { organizationId: string; serviceId: string }>()
const publicKeys = () => {
  const { x, y, crv, kty } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  // In the order in which the database stores them.
  return JSON.stringify({ keys: [{ x, y, crv, kty }] }, null, 2)
}
const twoConfigs = async ({ portal }: Here) => [await portal.samlConfig(), await portal.samlConfig()] as const

/** Two logos, as they are uploaded. */
const picture = (grey: number) => asUpload(pngImage({ width: 80, height: 20, grey }))
const twoImages = () => [picture(10), picture(90)] as const
const addressOf = () => expect.stringMatching(/^\/brand\/[0-9a-f]{64}\.png$/)

/** The nouns of `managed-nouns.ts`, by the calls that their samples name. */
const nouns = Object.fromEntries(
  Object.values<ManagedNoun>(managedNouns).map(({ url, id }): [string, EntityKind] => [
    `PUT ${url}`,
    { create: [`POST ${url}`, id] },
  ]),
)

/** By the call that saves one. */
const forWhom = {
  reservation: 'is used up by the new one: reservations.test.ts',
  organizationId: 'changes the organisation: reservations.test.ts',
}

export const entities: Record<string, EntityKind> = {
  ...nouns,
  'PUT /api/users': {
    of: {
      'a super user': async (here) => ({ by: here.root, values: { accountId: (await member(here)).accountId } }),
      'an organisation admin': async (here) => {
        const { admin, accountId } = await member(here)
        return { by: admin, values: { accountId } }
      },
    },
    create: ['POST /api/users', 'accountId'],
    values: async (here) => {
      const { organizationId } = await here.portal.organization()
      const { serviceId } = await here.portal.service()
      await here.portal.offer(organizationId, serviceId)
      const inOrganization = (userRole: string) => [{ organizationId, userRole }]
      const ofService = (userRole: string) => [{ organizationId, serviceId, userRole }]
      return {
        organizations: [inOrganization('regular'), inOrganization('organizationAdmin')],
        services: [ofService('regular'), ofService('serviceAdmin')],
        samlConfigId: await twoConfigs(here),
        loginMethod: ['bankid', 'local2FA'],
        superUser: [true, false],
      }
    },
    // Super users do not sign in through an organisation, and have no other role in the portal.
    notAtFirst: ['samlConfigId', 'portalRole', 'portalRoleFrom', 'portalRoleUntil'],
    alongside: { samlConfigId: { loginMethod: 'saml' }, portalRole: { loginMethod: 'local2FA' } },
    last: ['loginMethod', 'samlConfigId', 'portalRole', 'portalRoleFrom', 'portalRoleUntil'],
    required: () => ({ email: `new${++people}@customer.example`, unprovenReason: 'Known' }),
    beside: { unprovenReason: 'Known' },
    fixed: {
      email: 'is what identifies the person',
      unprovenReason: 'goes with a change that needs it',
      password: 'is for other sign-in methods, and is never answered',
      confirmNewPassword: 'repeats the password',
    },
    eachPlace: ['organizations', 'services'],
    apart: ['superUser', 'portalRole', 'portalRoleFrom', 'portalRoleUntil'],
    answered: { ssn: maskSsn, unprovenReason: null },
  },
  'PUT /api/profile': {
    of: {
      'a person': async (here) => ({ by: await here.portal.signedIn((await member(here)).person, testPassword) }),
    },
    beside: { currentPassword: testPassword },
    fixed: { email: 'may be sent unchanged', loginMethod: 'may be sent unchanged', currentPassword: 'is a proof' },
  },
  'PUT /api/organizations': {
    of: {
      'a super user': async (here) => ({
        by: here.root,
        values: { organizationId: (await member(here)).organizationId },
      }),
    },
    create: ['POST /api/organizations', 'organizationId'],
    values: async (here) => {
      const { serviceId } = await here.portal.service()
      const seats = (maxNumberOfUsers: number) => [{ serviceId, maxNumberOfUsers, atFirstSignIn: true }]
      return { services: [seats(5), seats(6)], samlConfigId: await twoConfigs(here), loginMethod: ['saml', 'bankid'] }
    },
    last: ['loginMethod'],
  },
  'PUT /api/services': {
    create: ['POST /api/services', 'serviceId'],
    values: async () => ({ icon: ['map', 'mail'] }),
  },
  'PUT /api/services/{id}/client': {
    of: {
      'a super user': async ({ portal, root }) => {
        const { serviceId: id } = await portal.service()
        const form = { kind: 'web', redirectUris: ['https://service.example/callback'], scopes: ['openid', 'email'] }
        await root.put(`/api/services/${id}/client`, form)
        return { by: root, values: { id } }
      },
    },
    create: ['PUT /api/services/{id}/client', 'id'],
    values: async () => {
      const api = `urn:example:${randomUUID()}`
      return {
        kind: ['web', 'machine'],
        authentication: ['private_key_jwt', 'client_secret_basic'],
        jwks: [publicKeys(), publicKeys()],
        scopes: [['openid'], ['openid', 'email']],
        apiUri: [api, `${api}:other`],
        apis: [[api], []],
      }
    },
    // Other keys, and other people.
    notAtFirst: ['jwksUri', 'directoryAccess'],
    alongside: {
      jwksUri: { jwks: null },
      directoryAccess: { pairwise: false },
      authentication: { jwks: null, jwksUri: null },
      // A machine has no pages and no people.
      kind: {
        redirectUris: [],
        postLogoutRedirectUris: [],
        backchannelLogoutUri: null,
        frontchannelLogoutUri: null,
        pkceRequired: true,
        pairwise: false,
        initiateLoginUri: null,
        personalNumberReason: null,
      },
    },
    last: ['apiUri', 'jwksUri', 'authentication', 'kind'],
  },
  'PUT /api/saml-configs': {
    ...nouns['PUT /api/saml-configs'],
    values: async () => {
      const { certificate } = selfSigned({ name: 'other.acme.example' })
      return { certificate: [managedNouns.SamlConfig.form.certificate, certificate] }
    },
    fixed: { metadata: 'is watched, and read by a call of its own: fetch-metadata.test.ts', ...forWhom },
    // What is encrypted with CBC has to be signed.
    last: ['wantAuthnResponseSigned', 'wantAssertionsSigned'],
  },
  'PUT /api/oidc-configs': {
    create: ['POST /api/oidc-configs', 'id'],
    values: async () => ({ clientSecret: ['hush-8153-hush-8153', 'hush-2647-hush-2647'], clientKey: [false, true] }),
    read: '/api/saml-configs/{id}',
    // No secret goes to another issuer than the one that it was given for.
    beside: { clientSecret: 'hush-8153-hush-8153' },
    last: ['clientSecret', 'clientKey'],
    told: { clientSecret: 'credentialSetAt' },
    fixed: forWhom,
    answered: { clientSecret: null },
  },
  'PUT /api/saml-configs/{id}/metadata': {
    of: {
      'a super user': async ({ portal, root }) => {
        const id = await portal.samlConfig()
        await root.put(`/api/saml-configs/${id}/metadata`, { address: 'https://idp.example.com/metadata' })
        return { by: root, values: { id } }
      },
    },
    beside: { address: 'https://idp.example.com/metadata' },
    values: async () => ({
      signer: [selfSigned({ name: 'one' }).certificate, selfSigned({ name: 'other' }).certificate],
    }),
    told: { address: 'metadataAddress', signer: 'metadataSigner' },
  },
  'PUT /api/organizations/{id}/brand': {
    of: {
      'an organisation admin': async (here) => {
        const { admin, organizationId } = await member(here)
        return { by: admin, values: { id: organizationId } }
      },
    },
    values: async () => ({ hue: [200, 310], logo: twoImages(), darkLogo: twoImages() }),
    told: { hue: 'brandHue', logo: 'brandLogo', darkLogo: 'brandDarkLogo' },
    answered: { logo: addressOf, darkLogo: addressOf },
  },
  'PUT /api/organizations/{id}/sign-in-host': {
    of: {
      'a super user': async (here) => ({ by: here.root, values: { id: (await member(here)).organizationId } }),
    },
    values: async () => ({ signInHost: ['one.in.example', 'other.in.example'] }),
  },
  'PUT /api/service-roles': {
    create: ['POST /api/service-roles', 'roleId'],
    values: async ({ portal }) => {
      const { serviceId } = await portal.service()
      for (const key of ['one', 'other'])
        await portal.system.db
          .insertInto('serviceRoles')
          .values({ roleId: randomUUID(), serviceId, key, nameSv: key })
          .execute()
      return { serviceId: [serviceId, serviceId], key: ['main', 'main'], excludes: [['one'], ['other']] }
    },
    told: { serviceId: 'service' },
  },
  'PUT /api/groups': {
    create: ['POST /api/groups', 'groupId'],
    values: async ({ portal }) => {
      const known = groupPlaces.get(portal)
      const { organizationId, serviceId } = known ?? { ...(await portal.organization()), ...(await portal.service()) }
      if (!known) await portal.offer(organizationId, serviceId)
      groupPlaces.set(portal, { organizationId, serviceId })
      const until = (validUntil: string | null) => [{ serviceId, roleIds: [], validFrom: null, validUntil }]
      const names = [`Group ${++people}`, `Group ${++people}`] as const
      return {
        organizationId: [organizationId, organizationId],
        name: names,
        services: [until(null), until('2030-12-31')],
      }
    },
    told: { organizationId: 'organization' },
  },
  'PUT /api/organizations/{organizationId}/roles/{roleId}': {
    of: {
      'an organisation admin': async (here) => {
        const { admin, organizationId } = await member(here)
        const form = { name: 'Porter', permissions: ['readPeople'] }
        const made = (await admin.post(`/api/organizations/${organizationId}/roles`, form)).json()
        return { by: admin, values: { organizationId, roleId: made.roleId } }
      },
    },
    values: async () => ({ permissions: [['readAudit'], ['readSettings']] }),
  },
  'PUT /api/notices': {
    ...nouns['PUT /api/notices'],
    values: async ({ portal }) => ({
      organizationId: [(await portal.organization()).organizationId, (await portal.organization()).organizationId],
      startsOn: ['2026-03-02', '2026-03-03'],
      endsOn: ['2026-03-04', '2026-03-05'],
    }),
    told: { message: 'noticeText', organizationId: 'organization' },
  },
}

/** Calls that save something which is not read where the others are, or which creates alone. */
export const otherEntities: Record<string, EntityKind> = {
  'PUT /api/email-templates/{type}/texts': {
    of: {
      'a super user': async ({ root }) => ({ by: root, values: { type: 'user-invite', language: 'fi' } }),
    },
    values: async () => ({ body: ['One\n\n{{button}}', 'Other\n\n{{button}}'] }),
    // A text is saved whole.
    beside: { subject: 'Welcome', body: '{{button}}', button: 'Start' },
    read: '/api/email-templates/{type}/texts?language={language}',
    inAnswer: ({ draft }: { draft: Json | null }) => draft,
    fixed: {
      language: 'is part of the address',
      channel: 'is part of the address',
      organizationId: 'is part of the address',
    },
  },
  'POST /api/audit-streams': {
    create: ['POST /api/audit-streams', 'streamId'],
    read: '/api/audit-streams',
    inAnswer: (answer: Json[], { streamId }) => answer.find((one) => one.streamId === streamId),
  },
}
