import type { ParseArgsOptionsConfig } from 'node:util'
import { clientKinds } from '#contract/service-clients/client-addresses.ts'
import {
  apiTokens,
  type ClientForm,
  clientAuthentications,
  clientForm,
  clientScopes,
  fittingClient,
  idTokenAlgorithms,
  newClient,
} from '#contract/service-clients/client-form.ts'
import { UsageError } from './command.ts'

/** An option of the command, what stands for its value, and what the form gets. */
interface ClientOption {
  name: string
  /** Undefined for a switch. */
  value?: string
  read: (said: string) => unknown
}

const text = (said: string) => said
const words = (said: string) => said.split(/\s+/).filter(Boolean)
// An empty text is no number.
const number = (said: string) => (said.trim() === '' ? Number.NaN : Number(said))
const on = () => true
const off = () => false

/** Every field of the form: one without an option does not compile. */
const byField: Readonly<Record<keyof ClientForm, ClientOption>> = {
  kind: { name: 'kind', value: clientKinds.join('|'), read: text },
  authentication: { name: 'auth', value: clientAuthentications.join('|'), read: text },
  redirectUris: { name: 'redirect-uri', value: '<addresses>', read: words },
  postLogoutRedirectUris: { name: 'post-logout-uri', value: '<addresses>', read: words },
  backchannelLogoutUri: { name: 'logout-uri', value: '<address>', read: text },
  frontchannelLogoutUri: { name: 'frontchannel-logout-uri', value: '<address>', read: text },
  jwks: { name: 'jwks', value: '<JSON Web Key Set>', read: text },
  jwksUri: { name: 'jwks-uri', value: '<address>', read: text },
  pkceRequired: { name: 'no-pkce', read: off },
  scopes: {
    name: 'scopes',
    value: `"${clientScopes.join(' ')}"`,
    read: (said) => [...new Set(['openid', ...words(said)])],
  },
  accessMinutes: { name: 'access-minutes', value: '<1 to 60>', read: number },
  idMinutes: { name: 'id-minutes', value: '<1 to 1440>', read: number },
  refreshHours: { name: 'refresh-hours', value: '<1 to 720>', read: number },
  pairwise: { name: 'pairwise', read: on },
  initiateLoginUri: { name: 'initiate-login-uri', value: '<address>', read: text },
  personalNumberReason: { name: 'personal-number-reason', value: '<text>', read: text },
  idTokenClaims: { name: 'no-id-token-claims', read: off },
  idTokenAlgorithm: { name: 'id-token-algorithm', value: idTokenAlgorithms.join('|'), read: text },
  apiUri: { name: 'api-uri', value: '<identifier>', read: text },
  apiToken: { name: 'api-token', value: apiTokens.join('|'), read: text },
  apis: { name: 'apis', value: '<identifiers>', read: words },
  directoryAccess: { name: 'directory-access', read: on },
}
const fields = Object.keys(byField) as (keyof ClientForm)[]

export const clientOptions: ParseArgsOptionsConfig = Object.fromEntries(
  fields.map((field) => [byField[field].name, { type: byField[field].value === undefined ? 'boolean' : 'string' }]),
)

export const clientUsage = fields
  .map((field) => byField[field])
  .map(({ name, value }) => `[--${name}${value === undefined ? '' : ` ${value}`}]`)
  .join(' ')

/** What a new client is by these options. @throws UsageError that names the option */
export function formOfOptions(values: Readonly<Record<string, string | boolean | undefined>>): ClientForm {
  const said: Partial<Record<keyof ClientForm, unknown>> = {}
  for (const field of fields) {
    const { name, read } = byField[field]
    if (values[name] !== undefined) said[field] = read(String(values[name]))
  }
  if (said.kind !== 'machine' && !said.redirectUris) throw new UsageError('--redirect-uri is required')
  const { success, data, error } = clientForm.safeParse({ ...newClient, ...said })
  if (!success) {
    const wrong = new Set(error.issues.map(({ path }) => `--${byField[path[0] as keyof ClientForm].name}`))
    throw new UsageError(`${[...wrong].join(', ')}: not a possible value`)
  }
  // What was said must go with the kind; what was not said follows it.
  return said.authentication === undefined ? { ...data, authentication: fittingClient(data).authentication } : data
}
