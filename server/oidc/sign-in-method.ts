import { type LoginMethod, loginMethods } from '#contract/login-methods.ts'
import { allMethods, type MethodName, ownAmr, type SignInMethod, signInMethods } from '#contract/sign-in-methods.ts'

/** What a passkey adds to the `amr` of a session. */
export const factorMethods: { passkey: readonly string[] } = { passkey: signInMethods.passkey.amr }

/** The `amr` of a password and what follows it. */
export const amrAfterPassword = (method: MethodName): readonly string[] => [
  ...signInMethods.password.amr,
  ...signInMethods[method].amr,
]

/** The least that an account proves at a sign-in. */
export function amrOfLogin(method: LoginMethod): readonly string[] {
  const { first, least } = loginMethods[method]
  return first === least ? signInMethods[first].amr : amrAfterPassword(least)
}

/** The `amr` as services get it: the names of RFC 8176. */
export const publicAmr = (amr: readonly string[]): string[] => amr.filter((name) => !ownAmr.includes(name))

/**
 * The strongest method of an `amr`. Of two that have the same mark, the weaker one follows a password: no `amr` of a session
 * says which key that was.
 */
export function strongestIn(
  amr: readonly string[],
  afterPassword = amr.includes(signInMethods.password.mark),
): MethodName | undefined {
  const found = allMethods.findLast(([, { mark }]) => amr.includes(mark))
  const weaker = allMethods.find(([, { mark }]) => mark === found?.[1].mark)
  return (afterPassword ? weaker : found)?.[0]
}

/** The sign-in method for an `amr`. */
export const methodFromAmr = (amr: readonly string[]): SignInMethod =>
  signInMethods[strongestIn(amr) ?? 'password'].signIn.name

const moreThanMail = allMethods.flatMap(([, { proves, mark }]) =>
  proves === 'password' || proves === 'mailbox' ? [] : [mark],
)

/** Whether an `amr` proves more than a password and the mailbox, which resets it. */
export const provesMoreThanMail = (amr: readonly string[]): boolean => moreThanMail.some((mark) => amr.includes(mark))

/** Reads the `amr` from the payload of a session. */
export function readAmr(payload: unknown): string[] {
  const { amr } = (payload ?? {}) as { amr?: unknown }
  return Array.isArray(amr) ? amr.map(String) : []
}
