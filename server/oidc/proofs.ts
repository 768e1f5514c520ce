import { type Factor, signInMethods } from '#contract/sign-in-methods.ts'
import { strongestIn } from './sign-in-method.ts'

/** When each factor was last proven, in milliseconds since the epoch. */
export type Proofs = Partial<Record<Factor, number>>

/** The factors of a proof, by its methods (RFC 8176): a password, and what follows it or stands for it. */
function factorsOf(amr: readonly string[]): Factor[] {
  const { password, securityKey } = signInMethods
  const hasPassword = amr.includes(password.mark)
  const isUnverifiedKey = securityKey.amr.every((name) => amr.includes(name))
  const strongest = strongestIn(amr, hasPassword || isUnverifiedKey)
  return [...(hasPassword ? [password.proof] : []), ...(strongest ? [signInMethods[strongest].proof] : [])]
}

/** What a proof of now adds to a session. */
export const proofsOf = (amr: readonly string[], at: Date): Proofs =>
  Object.fromEntries(factorsOf(amr).map((factor) => [factor, at.getTime()]))
