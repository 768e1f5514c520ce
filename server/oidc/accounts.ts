import type { Account, FindAccount, KoaContextWithOIDC } from 'oidc-provider'
import { personalNumberScope } from '#contract/service-clients/client-form.ts'
import { createBatchLoader } from '#server/platform/database/batch-loader.ts'
import type { System } from '#server/platform/system.ts'
import { type Asked, findHeldBack, readUsers } from './accounts.repository.ts'
import { type ClientSettings, portalClientId } from './clients.adapter.ts'
import { type EnrolmentFacts, mustEnrol } from './must-enrol.ts'
import { runForProvider } from './provider-problem.ts'
import {
  boundOrganization,
  decideEntry,
  type Entry,
  isForOneOrganization,
  organizationScope,
} from './reach/chosen-organization.ts'
import { introspectedToken } from './reach/introspection.ts'
import { listOrganizationClaims, readOrganizationClaim } from './reach/organizations-claim.ts'
import { issuePersonalNumber } from './reach/personal-number.ts'
import { provenMethods } from './reach/sign-in-floor.ts'
import type { AccountFacts } from './requests/read-row.ts'
import { recordOf } from './requests/request-record.ts'
import { accountOfRequest } from './tokens/read-token.ts'

/** The provider's view of an account, and whether the user has the requesting service. */
export interface PortalAccount extends Account, Entry {
  mayUseClient: boolean
  /** An admin chose the password: no service can be used before it is changed. */
  passwordMustChange: boolean
  /** Nor before a second factor is chosen. */
  mustEnrol: boolean
}

/**
 * The claims of each scope. Personal numbers only `userinfo` gives, to services that a super user lets have them: ID tokens travel in addresses. How (`amr`, RFC 8176) and when the user authenticated belongs
 * to the session: the provider puts it only into the ID token.
 */
export const claimsByScope = {
  openid: ['sub', 'auth_time', 'amr', 'acr'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  organizations: ['organizations'],
  organization: ['organization', 'roles'],
  [personalNumberScope]: ['personal_identity_number', 'personal_identity_number_verified'],
}

/**
 * Finds the account of a session or token. Passive, pending and deleted accounts are not found, and neither, for a token,
 * is an account that has lost the token's service.
 */
export function createFindAccount(system: System): FindAccount {
  const { db } = system
  const readUser = createBatchLoader((asked: readonly Asked[]) => readUsers(db, asked))
  return async (ctx, accountId, token) => {
    // The portal needs no claims, and its session is checked against the account at every read.
    if (ctx.oidc.client?.clientId === portalClientId) return portalAccount(accountId)
    const client = await clientOf(ctx, token)
    const serviceId = serviceOf(client)
    const bound = boundOrganization(token) ?? null
    const { sessionUid = null } = (token ?? {}) as { sessionUid?: string }
    const methods = token ? null : JSON.stringify(ctx.oidc.session?.amr ?? [])
    const user: (AccountFacts & Partial<EnrolmentFacts>) | undefined =
      accountOfRequest(token, accountId) ??
      (await runForProvider(readUser({ accountId, serviceId, bound, sessionUid, methods })))
    if (!user) return undefined
    const who = () => ({
      accountId,
      serviceId: serviceId ?? '',
      amr: provenMethods(token as { sessionUid?: string } | undefined, ctx.oidc.session),
    })
    const chooses = !token && serviceId !== undefined && isForOneOrganization(ctx.oidc)
    const entry = chooses ? await runForProvider(decideEntry(system, ctx, who())) : undefined
    const hasService = chooses
      ? Boolean(entry?.organizationId ?? entry?.choices)
      : serviceId === undefined || user.hasService
    const mayUseClient = hasService || isOnTrial(ctx, accountId, serviceId)
    if (token && !mayUseClient) return undefined
    const heldBackIn = mayUseClient || chooses ? undefined : await runForProvider(findHeldBack(db, who()))
    const names = [user.firstName, user.lastName].filter(Boolean)
    const account: PortalAccount = {
      accountId,
      mayUseClient,
      ...(heldBackIn && { heldBackIn }),
      ...entry,
      passwordMustChange: user.passwordMustChange,
      // A token was made after that was asked.
      mustEnrol: !token && mustEnrol(system.config, user as EnrolmentFacts, system.clock()),
      claims: async (use, scope, requested) => {
        // A token for an API names its organisation whatever the scopes are.
        const mayHave =
          use === 'token' || use === introspectedToken ? Object.values(claimsByScope).flat() : claimsOf(client)
        const isAsked = (name: keyof typeof claimsByScope) =>
          scope.split(' ').includes(name) && claimsByScope[name].every((claim) => mayHave.includes(claim))
        const inToken = !['userinfo', 'introspection', introspectedToken].includes(use)
        const all = {
          sub: accountId,
          name: names.join(' ') || undefined,
          given_name: user.firstName ?? undefined,
          family_name: user.lastName ?? undefined,
          // The name that people sign in by is their address, which is for clients that may have it.
          preferred_username: client?.scope?.split(' ').includes('email') ? user.email : undefined,
          locale: user.preferredLanguage ?? undefined,
          email: user.email,
          email_verified: user.emailVerified,
          phone_number: user.phoneNumber ?? undefined,
          phone_number_verified: user.phoneNumber === null ? undefined : user.phoneVerified,
          organizations:
            serviceId !== undefined && isAsked('organizations')
              ? await runForProvider(listOrganizationClaims(db, { ...who(), inToken, organizationId: bound }))
              : undefined,
          ...(use === 'userinfo' && serviceId !== undefined && isAsked(personalNumberScope)
            ? await runForProvider(issuePersonalNumber(system, ctx, { accountId, serviceId, organizationId: bound }))
            : {}),
          ...(bound !== null && isAsked(organizationScope)
            ? await runForProvider(readOrganizationClaim(db, { ...who(), inToken, organizationId: bound }))
            : {}),
        }
        const wanted = use === 'id_token' && !fillsIdToken(ctx) ? Object.keys(requested) : mayHave
        return only(all, ['sub', ...wanted.filter((name) => mayHave.includes(name))])
      },
    }
    return account
  }
}

/** What a client may read now: a super user may have taken a scope from it since its tokens were made. */
const claimsOf = (client: { scope?: string | undefined } | undefined): readonly string[] =>
  (client?.scope ?? '')
    .split(' ')
    .flatMap((scope) => (Object.hasOwn(claimsByScope, scope) ? claimsByScope[scope as keyof typeof claimsByScope] : []))

/** The client that a token was made for: an API that asks about a token is another one. */
const clientOf = async ({ oidc: { client, provider } }: KoaContextWithOIDC, token: object | undefined) => {
  const { clientId = client?.clientId } = (token ?? {}) as { clientId?: string }
  return clientId === undefined || clientId === client?.clientId ? client : provider.Client.find(clientId)
}

/** A token for an API opens no userinfo, so the ID token beside it carries everything. */
const fillsIdToken = ({ oidc: { client, entities } }: KoaContextWithOIDC): boolean =>
  (client as ClientSettings | undefined)?.id_token_claims === true || entities.AccessToken?.aud !== undefined

const only = <Claims extends { sub: string }>(claims: Claims, names: readonly string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name))) as unknown as Claims

const portalAccount = (accountId: string): PortalAccount => ({
  accountId,
  mayUseClient: true,
  // Both are done in the portal itself.
  passwordMustChange: false,
  mustEnrol: false,
  claims: () => ({ sub: accountId }),
})

/** Whether this very person tries this very service: see `onTrial`. */
function isOnTrial({ req }: KoaContextWithOIDC, accountId: string, serviceId: string | undefined): boolean {
  const { trial } = recordOf(req)
  return trial !== undefined && trial.accountId === accountId && trial.serviceId === serviceId
}

/** The service of a client; a client without one is open to all accounts. */
export const serviceOf = (client: object | undefined): string | undefined =>
  (client as { service_id?: string } | undefined)?.service_id
