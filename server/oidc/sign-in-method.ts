import type { SignInMethod } from '#contract/roles.ts'
import type { SecondFactorKind } from '#contract/second-factors.ts'

/**
 * What a second factor adds to the `amr` of a session: names of RFC 8176, and own ones that say which factor it was, for
 * the rules of organisations. A recovery code stands in for the app. `swk` is BankID's alone: what asks for BankID looks for it.
 */
export const factorMethods: Record<SecondFactorKind | 'recoveryCode', readonly string[]> = {
  email: ['otp', 'email', 'mfa'],
  sms: ['otp', 'sms', 'mfa'],
  app: ['otp', 'app', 'mfa'],
  recoveryCode: ['otp', 'app', 'recovery', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
}

const ownNames = ['email', 'app', 'recovery', 'touch']

/** The `amr` as services get it: the names of RFC 8176. */
export const publicAmr = (amr: readonly string[]): string[] => amr.filter((name) => !ownNames.includes(name))

/** The sign-in method for an `amr`. */
export function methodFromAmr(amr: readonly string[]): SignInMethod {
  if (amr.includes('fed')) return 'saml'
  if (amr.includes('swk')) return 'bankid'
  if (amr.includes('pop')) return amr.includes('pwd') ? 'passwordAndPasskey' : 'passkey'
  if (amr.includes('recovery')) return 'passwordAndRecoveryCode'
  if (amr.includes('app')) return 'passwordAndApp'
  if (amr.includes('sms')) return 'passwordAndSmsCode'
  return amr.includes('otp') ? 'passwordAndEmailCode' : 'password'
}

/** Reads the `amr` from the payload of a session. */
export function readAmr(payload: unknown): string[] {
  const { amr } = (payload ?? {}) as { amr?: unknown }
  return Array.isArray(amr) ? amr.map(String) : []
}
