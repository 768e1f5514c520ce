import { isCompany, type LoginMethod, meetsLogin, needsNumber } from '#contract/login-methods.ts'
import { Problem } from '#server/platform/problem.ts'

interface Signs {
  loginMethod: LoginMethod
  samlConfigId: number | null
}

/** What an organisation asks of an account that joins it, beyond the account's own sign-in method. */
export function floorFor(
  account: Signs & { hasNumber: boolean },
  organization: Signs & { guest: boolean },
): { asksFor: LoginMethod | null; canMeet: boolean } {
  const asked = organization.loginMethod
  if (isCompany(asked)) {
    const isOwn = account.loginMethod === asked && account.samlConfigId === organization.samlConfigId
    return isOwn || organization.guest ? { asksFor: null, canMeet: true } : { asksFor: asked, canMeet: false }
  }
  if (meetsLogin(account.loginMethod, asked)) return { asksFor: null, canMeet: true }
  return { asksFor: asked, canMeet: !needsNumber(asked) || account.hasNumber }
}

/** An organisation with organisation sign-in takes people from elsewhere only as guests. @throws Problem 409 */
export function refuseWithoutSignIn(...of: Parameters<typeof floorFor>): void {
  if (isCompany(floorFor(...of).asksFor)) throw new Problem(409, 'guestsOnly')
}
