import type { LoginMethod } from '#contract/roles.ts'
import { Problem } from '#server/platform/problem.ts'

interface Signs {
  loginMethod: LoginMethod
  samlConfigId: number | null
}

// An identity provider does not say how somebody signed in: it counts as a password.
const strength = { local: 1, saml: 1, local2FA: 2, bankid: 3 } as const

/** What an organisation asks of an account that joins it, beyond the account's own sign-in method. */
export function floorFor(
  account: Signs & { hasNumber: boolean },
  organization: Signs & { guest: boolean },
): { asksFor: LoginMethod | null; canMeet: boolean } {
  const asked = organization.loginMethod
  if (asked === 'saml') {
    const isOwn = account.loginMethod === 'saml' && account.samlConfigId === organization.samlConfigId
    return isOwn || organization.guest ? { asksFor: null, canMeet: true } : { asksFor: 'saml', canMeet: false }
  }
  if (strength[account.loginMethod] >= strength[asked]) return { asksFor: null, canMeet: true }
  return { asksFor: asked, canMeet: asked !== 'bankid' || account.hasNumber }
}

/** An organisation with organisation sign-in takes people from elsewhere only as guests. @throws Problem 409 */
export function refuseWithoutSignIn(...of: Parameters<typeof floorFor>): void {
  if (floorFor(...of).asksFor === 'saml') throw new Problem(409, 'guestsOnly')
}
