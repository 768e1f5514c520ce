import * as z from 'zod/mini'
import { limited, message, optionalText, storable } from '#contract/fields/fields.ts'
import type { FieldLabels, MessageKey } from '#contract/message-key.ts'
import { type ClientKind, clientKinds, problemOfAddress } from './client-addresses.ts'
import { problemOfKeys } from './client-keys.ts'

/** How a client proves who it is when it asks for tokens. */
export const clientAuthentications = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const
export type ClientAuthentication = (typeof clientAuthentications)[number]

/** The algorithms that an ID token or a logout token can be signed with, as discovery offers them. */
export const idTokenAlgorithms = ['RS256', 'ES256'] as const

/** The scopes that a client may be granted; `openid` is always among them. */
export const clientScopes = ['openid', 'profile', 'email', 'phone', 'organizations', 'organization'] as const

/**
 * The scope of the personal identity number. It is not listed in a client's scopes: a client has it if a reason is recorded.
 */
export const personalNumberScope = 'personal_identity_number'
/** The format of access tokens for an API: a signed JWT, or opaque and checked by introspection. */
export const apiTokens = ['jwt', 'opaque'] as const

const addresses = z.pipe(
  z.array(z.string().check(limited(2000), storable, z.trim())).check(limited(51)),
  z.transform((lines) => [...new Set(lines.filter(Boolean))]),
)
const number = (least: number, most: number) =>
  z
    .int(message('invalidNumber'))
    .check(z.minimum(least, message('invalidNumber')), z.maximum(most, message('invalidNumber')))

const fields = {
  kind: z.enum(clientKinds),
  authentication: z.enum(clientAuthentications),
  redirectUris: addresses,
  postLogoutRedirectUris: addresses,
  /** Called by the portal when a session ends. */
  backchannelLogoutUri: optionalText(2000),
  /** Opened in the browser, in a hidden frame, when the person signs out there. */
  frontchannelLogoutUri: optionalText(2000),
  /** A JSON Web Key Set of public keys, as JSON. */
  jwks: optionalText(20_000),
  jwksUri: optionalText(2000),
  pkceRequired: z.boolean(),
  scopes: z.array(z.enum(clientScopes)).check(limited(clientScopes.length)),
  /** How long an access token and an ID token are valid, and a sign-in can be renewed; null: as long as the session. */
  accessMinutes: number(1, 60),
  idMinutes: number(1, 1440),
  refreshHours: z.nullable(number(1, 720)),
  /** Pairwise subject identifiers: the service gets a `sub` that no other service gets. */
  pairwise: z.boolean(),
  /** Where the launcher starts a sign-in at the service (OpenID Connect Core, 4). */
  initiateLoginUri: optionalText(2000),
  /** Why the service may get personal identity numbers; null: it may not. */
  personalNumberReason: optionalText(500),
  /** Whether the ID token carries what the scopes grant; without it, userinfo alone does. */
  idTokenClaims: z.boolean(),
  idTokenAlgorithm: z.enum(idTokenAlgorithms),
  /** The service is an API: the audience of tokens for it (RFC 8707), and their format. */
  apiUri: optionalText(500),
  apiToken: z.enum(apiTokens),
  /** The APIs that this client may ask tokens for. */
  apis: addresses,
  /** May read the people who have the service, by `/api/v1`. */
  directoryAccess: z.boolean(),
}
/** Registers or changes a client: a field that is left out stays, or is what a new client has. */
export const clientForm = z.strictObject(fields)
export type ClientForm = z.infer<typeof clientForm>

/** The defaults of a new client. */
export const newClient: ClientForm = {
  kind: 'web',
  authentication: 'client_secret_basic',
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  frontchannelLogoutUri: null,
  jwks: null,
  jwksUri: null,
  pkceRequired: true,
  scopes: [...clientScopes],
  accessMinutes: 15,
  idMinutes: 60,
  refreshHours: null,
  pairwise: false,
  initiateLoginUri: null,
  personalNumberReason: null,
  idTokenClaims: true,
  idTokenAlgorithm: 'RS256',
  apiUri: null,
  apiToken: 'jwt',
  apis: [],
  directoryAccess: false,
}

/** Whether clients of this kind run where a secret cannot be kept. */
export const isPublicKind = (kind: ClientKind | 'none'): boolean => kind === 'singlePage' || kind === 'native'

/** Removes the settings that do not apply to this kind and authentication. */
export function fittingClient<Form extends ClientForm>(client: Form): Form {
  const { kind } = client
  const fallback = client.authentication === 'none' ? 'client_secret_basic' : client.authentication
  const authentication = isPublicKind(kind) ? 'none' : fallback
  const machine = kind === 'machine'
  const hasPages = kind === 'web' || kind === 'singlePage'
  const byKey = authentication === 'private_key_jwt'
  return {
    ...client,
    authentication,
    redirectUris: machine ? [] : client.redirectUris,
    postLogoutRedirectUris: machine ? [] : client.postLogoutRedirectUris,
    backchannelLogoutUri: kind === 'web' ? client.backchannelLogoutUri : null,
    frontchannelLogoutUri: hasPages ? client.frontchannelLogoutUri : null,
    jwks: byKey ? client.jwks : null,
    jwksUri: byKey ? client.jwksUri : null,
    pkceRequired: kind === 'web' ? client.pkceRequired : true,
    // Nobody signs in to a machine.
    pairwise: !machine && client.pairwise,
    initiateLoginUri: hasPages ? client.initiateLoginUri : null,
    personalNumberReason: machine ? null : client.personalNumberReason,
    // An API proves who it is before it learns anything of a token.
    apiUri: isPublicKind(kind) ? null : client.apiUri,
    directoryAccess: !isPublicKind(kind) && client.directoryAccess,
  }
}

/** An identifier that need not be reachable: `https://api.example/orders` or `urn:example:orders`. */
const isApiUri = (text: string) =>
  /^(https:\/\/|urn:)[^\s#]+$/.test(text) && URL.canParse(text) && text.isWellFormed() && !/\p{Cc}/u.test(text)

/** What is wrong with a client, by field. */
export function problemsOfClient(client: ClientForm): { path: keyof ClientForm; message: MessageKey }[] {
  const { kind, jwks, jwksUri, redirectUris } = client
  const found: { path: keyof ClientForm; message: MessageKey | undefined }[] = []
  const fitting = fittingClient(client)
  for (const path of Object.keys(fields) as (keyof ClientForm)[])
    if (JSON.stringify(fitting[path]) !== JSON.stringify(client[path]))
      found.push({ path, message: 'notForClientKind' })
  if (kind !== 'machine' && redirectUris.length === 0) found.push({ path: 'redirectUris', message: 'required' })
  // It names people by the ids of their accounts.
  if (client.pairwise && client.directoryAccess) found.push({ path: 'directoryAccess', message: 'notWithPairwise' })
  if (client.apis.length > 50) found.push({ path: 'apis', message: 'tooLong' })
  if (client.apiUri && !isApiUri(client.apiUri)) found.push({ path: 'apiUri', message: 'apiUriInvalid' })
  for (const path of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    if (client[path].length > 50) found.push({ path, message: 'tooLong' })
    for (const address of client[path]) found.push({ path, message: problemOfAddress(address, kind) })
  }
  for (const path of ['backchannelLogoutUri', 'frontchannelLogoutUri', 'jwksUri', 'initiateLoginUri'] as const) {
    const address = client[path]
    if (address) found.push({ path, message: problemOfAddress(address, 'web') })
  }
  // Front-Channel Logout 1.0, 2. The page after a sign-out may open no other frames.
  const origins = redirectUris.map((uri) => URL.parse(uri)?.origin)
  if (client.frontchannelLogoutUri && !origins.includes(URL.parse(client.frontchannelLogoutUri)?.origin))
    found.push({ path: 'frontchannelLogoutUri', message: 'frontchannelLogoutOrigin' })
  if (jwks) found.push({ path: 'jwks', message: problemOfKeys(jwks) })
  if (client.authentication === 'private_key_jwt' && Boolean(jwks) === Boolean(jwksUri))
    found.push({ path: 'jwks', message: 'eitherKeysOrAddress' })
  // The first problem of each field.
  const seen = new Set<string>()
  return found.flatMap(({ path, message }) => (message && !seen.has(path) && seen.add(path) ? [{ path, message }] : []))
}

export const clientLabels: FieldLabels<ClientForm> = {
  kind: 'clientKind',
  authentication: 'clientAuthentication',
  redirectUris: 'redirectUris',
  postLogoutRedirectUris: 'postLogoutRedirectUris',
  backchannelLogoutUri: 'backchannelLogoutUri',
  frontchannelLogoutUri: 'frontchannelLogoutUri',
  jwks: 'clientJwks',
  jwksUri: 'clientJwksUri',
  pkceRequired: 'pkceRequired',
  scopes: 'clientScopes',
  accessMinutes: 'accessMinutes',
  idMinutes: 'idMinutes',
  refreshHours: 'refreshHours',
  pairwise: 'pairwise',
  initiateLoginUri: 'initiateLoginUri',
  personalNumberReason: 'personalNumberReason',
  idTokenClaims: 'idTokenClaims',
  idTokenAlgorithm: 'idTokenAlgorithm',
  apiUri: 'apiUri',
  apiToken: 'apiToken',
  apis: 'apis',
  directoryAccess: 'directoryAccess',
}
