/** What somebody proves themselves with, as a session remembers it. */
export type Factor = 'password' | 'code' | 'app' | 'recoveryCode' | 'securityKey' | 'passkey' | 'bankid' | 'company'

/** When each factor was last proven, in milliseconds since the epoch. */
export type Proofs = Partial<Record<Factor, number>>

/** The factors of a proof, by its methods (RFC 8176). A code always follows a password, and a security key too. */
function factorsOf(amr: readonly string[]): Factor[] {
  const has = (method: string) => amr.includes(method)
  const factors: Factor[] = []
  if (has('pwd')) factors.push('password')
  if (has('fed')) factors.push('company')
  if (has('otp')) factors.push(has('recovery') ? 'recoveryCode' : has('app') ? 'app' : 'code')
  if (has('pop')) factors.push(has('pwd') || has('touch') ? 'securityKey' : 'passkey')
  else if (has('swk')) factors.push('bankid')
  return factors
}

/** What a proof of now adds to a session. */
export const proofsOf = (amr: readonly string[], at: Date): Proofs =>
  Object.fromEntries(factorsOf(amr).map((factor) => [factor, at.getTime()]))
