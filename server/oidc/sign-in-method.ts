import type { SignInMethod } from '#contract/roles.ts'

/** The sign-in method for an `amr`. */
export function methodFromAmr(amr: readonly string[]): SignInMethod {
  if (amr.includes('fed')) return 'saml'
  if (amr.includes('swk')) return 'bankid'
  if (amr.includes('sms')) return 'passwordAndSmsCode'
  return amr.includes('otp') ? 'passwordAndEmailCode' : 'password'
}

/** Reads the `amr` from the payload of a session. */
export function readAmr(payload: unknown): string[] {
  const { amr } = (payload ?? {}) as { amr?: unknown }
  return Array.isArray(amr) ? amr.map(String) : []
}
