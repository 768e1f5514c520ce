import * as z from 'zod/mini'
import { clientKinds } from '#contract/service-clients/client-addresses.ts'
import {
  type ClientForm,
  clientForm,
  clientScopes,
  fittingClient,
  problemsOfClient,
} from '#contract/service-clients/client-form.ts'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'

const { redirectUris, postLogoutRedirectUris, apis, scopes: _, ...shape } = clientForm.shape
/** One address a line. */
const lines = (addresses: typeof redirectUris) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split('\n')),
    ),
    addresses,
  )

/** The scopes that can be chosen; `openid` is always among those of a client. */
export const chosenScopes = clientScopes.filter((scope) => scope !== 'openid')
type ChosenScopes = Record<(typeof chosenScopes)[number], boolean>

/** The form of a client; saving the kind `none` removes it. */
export const clientDraft = z
  .object({
    ...shape,
    kind: z.enum(['none', ...clientKinds]),
    redirectUris: lines(redirectUris),
    postLogoutRedirectUris: lines(postLogoutRedirectUris),
    apis: lines(apis),
    scopes: z.record(z.string(), z.boolean()) as unknown as z.ZodMiniType<ChosenScopes, ChosenScopes>,
  })
  .check((payload) => {
    const form = formOf(payload.value as ClientValues)
    for (const { path, message } of form ? problemsOfClient(form) : [])
      payload.issues.push({ code: 'custom', input: payload.value, path: [path], message })
  })
export type ClientDraft = z.input<typeof clientDraft>
export type ClientValues = z.output<typeof clientDraft>

export const draftOf = (client: Partial<ServiceClient>): ClientDraft => ({
  kind: client.kind ?? 'none',
  authentication: client.authentication ?? 'client_secret_basic',
  redirectUris: client.redirectUris?.join('\n') ?? '',
  postLogoutRedirectUris: client.postLogoutRedirectUris?.join('\n') ?? '',
  backchannelLogoutUri: client.backchannelLogoutUri ?? '',
  frontchannelLogoutUri: client.frontchannelLogoutUri ?? '',
  jwks: client.jwks ?? '',
  jwksUri: client.jwksUri ?? '',
  pkceRequired: client.pkceRequired ?? true,
  scopes: Object.fromEntries(
    chosenScopes.map((scope) => [scope, client.scopes?.includes(scope) ?? true]),
  ) as ChosenScopes,
  accessMinutes: client.accessMinutes ?? 15,
  idMinutes: client.idMinutes ?? 60,
  refreshHours: client.refreshHours ?? null,
  pairwise: client.pairwise ?? false,
  initiateLoginUri: client.initiateLoginUri ?? '',
  personalNumberReason: client.personalNumberReason ?? '',
  idTokenClaims: client.idTokenClaims ?? true,
  idTokenAlgorithm: client.idTokenAlgorithm ?? 'RS256',
  apiUri: client.apiUri ?? '',
  apiToken: client.apiToken ?? 'jwt',
  apis: client.apis?.join('\n') ?? '',
  directoryAccess: client.directoryAccess ?? false,
})

/** What is sent; fields that do not go with the kind, and are not shown, are left empty. Undefined for none. */
export function formOf({ kind, scopes, ...rest }: ClientValues): ClientForm | undefined {
  if (kind === 'none') return undefined
  return fittingClient({ ...rest, kind, scopes: ['openid', ...chosenScopes.filter((scope) => scopes[scope])] })
}
