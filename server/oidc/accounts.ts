import type { Account, FindAccount } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'
import { isAddressProven } from './address-proof.ts'
import { portalClientId } from './clients.adapter.ts'
import { listOrganizationClaims } from './organizations-claim.ts'
import { runForProvider } from './provider-problem.ts'

/** The provider's view of an account, and whether the user has the requesting service. */
export interface PortalAccount extends Account {
  mayUseClient: boolean
  /** An admin chose the password: no service can be used before it is changed. */
  passwordMustChange: boolean
}

/**
 * The claims of each scope. Services get no personal numbers. How (`amr`, RFC 8176) and when the user authenticated belongs
 * to the session: the provider puts it only into the ID token.
 */
export const claimsByScope = {
  openid: ['sub', 'auth_time', 'amr'],
  profile: ['name', 'given_name', 'family_name', 'locale'],
  email: ['email', 'email_verified'],
  phone: ['phone_number'],
  organizations: ['organizations'],
}

/**
 * Finds the account of a session or token. Passive, pending and deleted accounts are not found, and neither, for a token,
 * is an account that has lost the token's service.
 */
export function createFindAccount({ db }: System): FindAccount {
  return async (ctx, accountId, token) => {
    // The portal needs no claims, and its session is checked against the account at every read.
    if (ctx.oidc.client?.clientId === portalClientId) return portalAccount(accountId)
    const serviceId = serviceOf(ctx.oidc.client)
    const user = await runForProvider(
      db
        .selectFrom('users')
        .select(['email', 'firstName', 'lastName', 'preferredLanguage', 'phoneNumber', 'passwordMustChange'])
        .select((row) => [
          isAddressProven.as('emailVerified'),
          row
            .exists(
              row
                .selectFrom('serviceAssignments')
                .select('serviceId')
                .whereRef('serviceAssignments.accountId', '=', 'users.accountId')
                .where('serviceId', '=', serviceId ?? null),
            )
            .as('hasService'),
        ])
        .where('accountId', '=', accountId)
        .where('pending', '=', false)
        .where('passiveAt', 'is', null)
        .executeTakeFirst(),
    )
    if (!user) return undefined
    const mayUseClient = serviceId === undefined || user.hasService === true
    if (token && !mayUseClient) return undefined
    const names = [user.firstName, user.lastName].filter(Boolean)
    const account: PortalAccount = {
      accountId,
      mayUseClient,
      passwordMustChange: user.passwordMustChange,
      claims: async (_use, scope) => ({
        sub: accountId,
        name: names.join(' ') || undefined,
        given_name: user.firstName ?? undefined,
        family_name: user.lastName ?? undefined,
        locale: user.preferredLanguage ?? undefined,
        email: user.email,
        email_verified: user.emailVerified,
        phone_number: user.phoneNumber ?? undefined,
        organizations:
          serviceId !== undefined && scope.split(' ').includes('organizations')
            ? await runForProvider(listOrganizationClaims(db, { accountId, serviceId }))
            : undefined,
      }),
    }
    return account
  }
}

const portalAccount = (accountId: string): PortalAccount => ({
  accountId,
  mayUseClient: true,
  // The password is changed in the portal itself.
  passwordMustChange: false,
  claims: () => ({ sub: accountId }),
})

/** The service of a client; a client without one is open to all accounts. */
const serviceOf = (client: object | undefined): string | undefined =>
  (client as { service_id?: string } | undefined)?.service_id
