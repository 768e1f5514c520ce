import * as z from 'zod/mini'
import { id, timestamp, version } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { logoutState } from '#contract/sign-in/sign-in.ts'
import { clientKinds } from './client-addresses.ts'
import {
  apiTokens,
  type ClientForm,
  clientAuthentications,
  clientForm,
  clientScopes,
  idTokenAlgorithms,
} from './client-form.ts'

const secretState = z.object({
  createdAt: z.nullable(timestamp),
  /** To the hour. */
  lastUsed: z.nullable(timestamp),
  /** Of the previous secret alone. */
  endsAt: z.nullable(timestamp),
})
export type SecretState = z.infer<typeof secretState>

/** The form as it is answered: each of its fields, or it does not compile. */
const stored = {
  authentication: z.enum(clientAuthentications),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  backchannelLogoutUri: z.nullable(z.string()),
  frontchannelLogoutUri: z.nullable(z.string()),
  jwks: z.nullable(z.string()),
  jwksUri: z.nullable(z.string()),
  pkceRequired: z.boolean(),
  scopes: z.array(z.enum(clientScopes)),
  accessMinutes: z.int(),
  idMinutes: z.int(),
  refreshHours: z.nullable(z.int()),
  pairwise: z.boolean(),
  initiateLoginUri: z.nullable(z.string()),
  personalNumberReason: z.nullable(z.string()),
  idTokenClaims: z.boolean(),
  idTokenAlgorithm: z.enum(idTokenAlgorithms),
  apiUri: z.nullable(z.string()),
  apiToken: z.enum(apiTokens),
  apis: z.array(z.string()),
  directoryAccess: z.boolean(),
} satisfies Record<Exclude<keyof ClientForm, 'kind'>, z.ZodMiniType>

/** How people sign in to a service. Without a client the kind is `none`, the version 0, and the rest what a new one has. */
export const serviceClient = z.object({
  kind: z.enum(['none', ...clientKinds]),
  clientId: z.nullable(z.string()),
  ...stored,
  issuer: z.string(),
  discovery: z.string(),
  secret: z.nullable(secretState),
  previousSecret: z.nullable(secretState),
  version: z.int(),
})
export type ServiceClient = z.infer<typeof serviceClient>

/** The most sign-outs in one answer. */
export const maxSignOuts = 100

/** A session that ended, and whether the service knows. */
const signOut = z.object({
  id,
  at: timestamp,
  /** Null: the account was deleted. */
  email: z.nullable(z.string()),
  state: logoutState,
  attempts: z.int(),
  /** Of the last attempt, a text key or a status of HTTP; null where it succeeded or none was made. */
  reason: z.nullable(z.string()),
})
export type ServiceSignOut = z.infer<typeof signOut>

const params = z.strictObject({ id })

export const serviceClients = {
  read: route('GET /api/services/{id}/client', {
    summary: 'How people sign in to a service: its OpenID Connect client',
    access: 'manageServices',
    params,
    answer: z.extend(serviceClient, {
      /** When somebody last signed in by it, to the hour; of a machine, when it last got a token. Trials do not count. */
      lastSignIn: z.nullable(timestamp),
    }),
  }),
  save: route('PUT /api/services/{id}/client', {
    takesBack: '/api/services/{id}/client',
    summary: 'Registers or changes the client of a service; newSecret is shown in this answer alone',
    access: 'manageServices',
    freshProof: true,
    params,
    // A field that is left out stays, or is what a new client has.
    input: z.extend(z.partial(clientForm), { version: z.optional(z.union([version, z.literal(0)])) }),
    answer: z.extend(serviceClient, { newSecret: z.nullable(z.string()) }),
    audit: { atMost: ['createClient', 'updateClient'] },
  }),
  remove: route('DELETE /api/services/{id}/client', {
    summary: 'Removes the client of a service: nobody can sign in by it any more',
    access: 'manageServices',
    freshProof: true,
    params,
    answer: 'nothing',
    audit: 'deleteClient',
  }),
  createSecret: route('POST /api/services/{id}/client/secrets', {
    summary: 'Makes a new secret, shown this once; the present one works for keepHours more',
    access: 'manageServices',
    freshProof: true,
    params,
    input: z.strictObject({ keepHours: z._default(z.optional(z.int().check(z.minimum(0), z.maximum(2160))), 168) }),
    answer: z.object({ newSecret: z.string(), client: serviceClient }),
    status: 201,
    audit: 'createClientSecret',
  }),
  signOuts: route('GET /api/services/{id}/client/sign-outs', {
    summary:
      'What the service was told about sessions that ended, the newest first; not told ones alone with failed=true',
    access: 'manageServices',
    params,
    query: z.strictObject({ failed: z.optional(z.literal('true')) }),
    answer: z.array(signOut),
  }),
  removeSecret: route('DELETE /api/services/{id}/client/secrets/previous', {
    summary: 'Ends the previous secret now',
    access: 'manageServices',
    freshProof: true,
    params,
    answer: 'nothing',
    audit: 'deleteClientSecret',
  }),
}
