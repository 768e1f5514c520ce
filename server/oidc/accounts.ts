import type { Account, FindAccount } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'
import { portalClientId } from './clients.adapter.ts'
import { asked } from './provider-problem.ts'

/** A person as the provider sees one, and whether the person has the service that asks. */
export interface PortalAccount extends Account {
  mayUseClient: boolean
  /** Somebody else chose the password: no service before it is changed. */
  passwordMustChange: boolean
}

/**
 * The claims of each scope. Services get no personal numbers. How (`amr`, RFC 8176) and when the person proved who they are
 * belongs to the session: the provider puts it into the ID token, and only there.
 */
export const claimsByScope = {
  openid: ['sub', 'auth_time', 'amr'],
  profile: ['name', 'given_name', 'family_name', 'locale'],
  email: ['email', 'email_verified'],
  phone: ['phone_number'],
}

/**
 * Finds who a session or token belongs to. Whoever is passive, pending or gone is nobody, and so is, for a token, who
 * lost the service that the token was made for.
 */
export function createFindAccount({ db }: System): FindAccount {
  return async (ctx, accountId, token) => {
    // The portal asks for no claims, and its session is checked against the person each time that it is read.
    if (ctx.oidc.client?.clientId === portalClientId) return portalAccount(accountId)
    const serviceId = serviceOf(ctx.oidc.client)
    const user = await asked(
      db
        .selectFrom('users')
        .select(['email', 'firstName', 'lastName', 'preferredLanguage', 'phoneNumber', 'passwordMustChange'])
        .select((row) => [
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
      claims: () => ({
        sub: accountId,
        name: names.join(' ') || undefined,
        given_name: user.firstName ?? undefined,
        family_name: user.lastName ?? undefined,
        locale: user.preferredLanguage ?? undefined,
        email: user.email,
        email_verified: true,
        phone_number: user.phoneNumber ?? undefined,
      }),
    }
    return account
  }
}

const portalAccount = (accountId: string): PortalAccount => ({
  accountId,
  mayUseClient: true,
  // The portal is where it is changed.
  passwordMustChange: false,
  claims: () => ({ sub: accountId }),
})

/** The service that a client belongs to; one without a service is open to everybody with an account. */
const serviceOf = (client: object | undefined): string | undefined =>
  (client as { service_id?: string } | undefined)?.service_id
