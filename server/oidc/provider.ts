import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import { languages } from '#contract/roles.ts'
import { clientAuthentications } from '#contract/service-clients/client-form.ts'
import { createOutgoingFetch } from '#server/platform/outgoing/outgoing-fetch.ts'
import type { System } from '#server/platform/system.ts'
import { claimsByScope, createFindAccount, type PortalAccount, serviceOf } from './accounts.ts'
import { acceptTwoSecrets } from './clients/client-secrets.ts'
import { portalClient } from './clients/portal-client.ts'
import {
  type ClientSettings,
  clientsAdapter,
  directoryScope,
  extraClientProperties,
  portalClientId,
} from './clients.adapter.ts'
import { cookieNames, createCookieSigner } from './cookies.ts'
import { nameSessions } from './logout/frames.ts'
import { chooseOrganizationPrompt } from './prompts/choose-organization.ts'
import { enterOrganizationPrompt } from './prompts/enter-organization.ts'
import { createInteractionUrl } from './prompts/interaction-url.ts'
import { ownAccountPrompt } from './prompts/own-account.ts'
import { addSelectAccount } from './prompts/select-account.ts'
import { ownServicePrompt } from './prompts/service-entry.ts'
import {
  deriveAcr,
  oneFactor,
  phishingResistant,
  strongerSignInPrompt,
  twoFactors,
} from './prompts/stronger-sign-in.ts'
import { apiTokens, mayIntrospect } from './protocol/api-tokens.ts'
import { keepWithoutRoles } from './protocol/kept-tokens.ts'
import { boundParameters } from './protocol/parameter-bounds.ts'
import { logRefusedRequests } from './protocol/refused-requests.ts'
import { detectReplays } from './protocol/replays.ts'
import { serviceDocumentation } from './protocol/service-documentation.ts'
import { createLogoutPages, createRenderError, type ProviderPages } from './provider-pages.ts'
import { grantClaims } from './reach/allowed-claims.ts'
import {
  bindOrganization,
  checkOrganizationParameter,
  organizationParameter,
  rememberOrganization,
} from './reach/chosen-organization.ts'
import { pairwiseIdentifier } from './reach/pairwise-subject.ts'
import { findRequest, recordOf } from './requests/request-record.ts'
import { artifactsAdapter } from './storage/artifacts.adapter.ts'
import { noteEntry } from './storage/pending-writes.ts'
import { sessionsAdapter } from './storage/sessions.adapter.ts'

/** Creates the configured OpenID Provider, with our storage adapters and pages. */
export function createProvider(system: System, pages: ProviderPages): Provider {
  const { config, keys } = system
  const { protocol, host } = new URL(config.baseUrl)
  const secure = protocol === 'https:'
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const
  const absolute = config.sessionMaxHours * 3600
  const forApis = apiTokens(system)

  const findAccount = createFindAccount(system)
  const configuration: Configuration = {
    adapter: (model) =>
      model === 'Session'
        ? sessionsAdapter(system)
        : model === 'Client'
          ? clientsAdapter(system)
          : artifactsAdapter(system, model),
    clients: [portalClient(config.baseUrl)],
    clientBasedCORS: (_, origin, client) =>
      client.tokenEndpointAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    acrValues: [oneFactor, twoFactors, phishingResistant],
    clientAuthMethods: [...clientAuthentications],
    claims: claimsByScope,
    scopes: ['openid', 'offline_access', directoryScope],
    // Each client says for itself: see `claims` of the account.
    conformIdTokenClaims: false,
    extraTokenClaims: forApis.claims,
    formats: { customizers: { jwt: keepWithoutRoles } },
    cookies: { names: cookieNames(config), long: cookie, short: cookie },
    discovery: {
      // By us: the library has no front-channel logout.
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      service_documentation: `${config.baseUrl}${serviceDocumentation}`,
      ui_locales_supported: [...languages],
    },
    extraParams: { [organizationParameter]: checkOrganizationParameter },
    extraClientMetadata: { properties: extraClientProperties },
    features: {
      claimsParameter: { enabled: true },
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: { enabled: false },
      resourceIndicators: forApis.feature,
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      introspection: { enabled: true, allowedPolicy: mayIntrospect(findAccount) },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, ...createLogoutPages(system) },
    },
    findAccount,
    // A sign-out ends everything, including offline_access.
    expiresWithSession: async () => true,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    interactions: {
      policy: promptsOf(system),
      url: createInteractionUrl(system),
    },
    jwks: { keys: keys.signing('oidcSigning') as NonNullable<Configuration['jwks']>['keys'] },
    loadExistingGrant: grantToFirstParty(system),
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier,
    sectorIdentifierUriValidate: () => false,
    pkce: { required: (_, client) => settingsOf(client).pkce_required !== false },
    responseTypes: ['code', 'none'],
    ttl: {
      AccessToken: (_, __, client) => settingsOf(client).access_seconds ?? 15 * 60,
      AuthorizationCode: 60,
      ClientCredentials: (_, __, client) => settingsOf(client).access_seconds ?? 15 * 60,
      Grant: absolute,
      IdToken: (_, __, client) => settingsOf(client).id_seconds ?? 60 * 60,
      Interaction: 60 * 60,
      RefreshToken: (_, __, client) => Math.min(settingsOf(client).refresh_seconds ?? absolute, absolute),
      Session: config.sessionIdleMinutes * 60,
    },
    renderError: createRenderError(system, pages),
    fetch: createOutgoingFetch(system.outgoing) as NonNullable<Configuration['fetch']>,
  }
  const provider = new Provider(`${config.baseUrl}/oidc`, configuration)
  boundParameters(provider)
  acceptTwoSecrets(provider, system)
  detectReplays(provider, system)
  deriveAcr(provider)
  nameSessions(provider)
  provider.keys = createCookieSigner(keys) as unknown as Provider['keys']
  // Our own URL comes from the configuration, never from Host or X-Forwarded-*.
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  })
  logRefusedRequests(provider, system)
  provider.on('server_error', (ctx, error) => {
    const log = findRequest(ctx.req)?.log ?? system.log
    log.error({ err: error }, 'the OpenID Provider failed')
  })
  provider.on('backchannel.error', (ctx, error, client) => {
    const log = findRequest(ctx.req)?.log ?? system.log
    log.warn({ err: error, clientId: client.clientId }, 'back-channel logout failed')
  })
  return provider
}

const settingsOf = (client: object) => client as ClientSettings

/** All services are first-party: an assigned service counts as consent. The portal itself needs no stored grant. */
const grantToFirstParty =
  (system: System): NonNullable<Configuration['loadExistingGrant']> =>
  async (ctx) => {
    const { account, client, provider, session, params } = ctx.oidc
    if (!account || !client) return undefined
    const { mayUseClient, choices, organizationId } = account as PortalAccount
    // Without a grant there is no code; the prompts `own_service` and `choose_organization` say why.
    if (!mayUseClient || choices) return undefined
    const bound = bindOrganization(ctx, organizationId)
    if (organizationId) rememberOrganization(ctx, system.config, organizationId)
    const serviceId = serviceOf(client)
    if (serviceId && !recordOf(ctx.req).trial)
      noteEntry({ accountId: account.accountId, serviceId, organizationId, clientId: client.clientId })
    const scope = typeof params?.scope === 'string' ? params.scope : 'openid'
    const grantId = session?.grantIdFor(client.clientId)
    const present = grantId ? await provider.Grant.find(grantId) : undefined
    const grant = present ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
    const missing = scope.split(' ').filter((one) => !grant.getOIDCScope().split(' ').includes(one))
    if (missing.length > 0) grant.addOIDCScope(missing.join(' '))
    const changed = grantClaims(grant, client, [...ctx.oidc.requestParamClaims, ...bound])
    if (client.clientId !== portalClientId && (missing.length > 0 || changed || !present)) await grant.save()
    return grant
  }

/** Prompts of our own, between sign-in and consent. */
function promptsOf(system: System) {
  const policy = interactionPolicy.base()
  addSelectAccount(policy)
  policy.add(ownAccountPrompt(), 1)
  policy.add(enterOrganizationPrompt(), 2)
  policy.add(ownServicePrompt(system), 3)
  policy.add(chooseOrganizationPrompt(), 4)
  policy.add(strongerSignInPrompt(), 5)
  // A new sign-in would not help: it may be as weak as this one.
  for (const check of ['essential_acrs', 'essential_acr']) policy.get('login')?.checks.remove(check)
  return policy
}
