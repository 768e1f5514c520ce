import { asksForTwo } from '#contract/login-methods.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import type { AddressProof } from '#server/oidc/address-proof.ts'
import { amrAfterPassword } from '#server/oidc/sign-in-method.ts'
import { type Challenge, endChallenge, findChallenge } from './challenge.ts'
import { type Attempt, type CheckContext, type RightPassword, settle, withPassword } from './credentials.ts'
import { guessCode } from './guess-code.ts'
import { findPerson, type Person } from './people.repository.ts'
import { codePurpose } from './send-code.ts'

/** The person whose password was correct, and the open challenge of this browser, if any. */
interface Proven {
  person: Person
  challenge: Challenge | undefined
}

/**
 * Checks a password that a code may follow. If this browser already proved the same password when it requested the code, the
 * slow hash is not repeated. Otherwise `withPassword` checks it.
 *
 * @param use what a right password leads to. The counted attempt of somebody whose password is the whole proof is left to it.
 * @returns undefined for any failure
 * @throws Problem 429, 503, and any error of `use`
 */
export async function withProvenPassword<Result>(
  context: CheckContext,
  credentials: Attempt,
  use: (proven: Proven, right?: RightPassword) => Promise<Result>,
): Promise<Result | undefined> {
  const { email, password } = credentials
  const challenge = await findChallenge(context.db, context)
  if (challenge?.email === email && challenge.provesPassword(password)) {
    const person = await findPerson(context.db, email)
    if (person?.active && asksForTwo(person.loginMethod) && belongs(challenge, person))
      return use({ person, challenge })
  }
  return withPassword(context, credentials, async (right) => {
    const { person, counted } = right
    // What follows has limits of its own.
    if (asksForTwo(person.loginMethod)) await settle(context, counted)
    return use({ person, challenge: challenge && belongs(challenge, person) ? challenge : undefined }, right)
  })
}

const belongs = (challenge: Challenge, { accountId, authEpoch }: Person) =>
  challenge.accountId === accountId && challenge.authEpoch === authEpoch

/**
 * Consumes a code: of the person's app, a recovery code, or the one that belongs to this browser's challenge.
 *
 * @param uid the interaction, if any
 * @returns the authentication methods (RFC 8176), and the address proof if the code came by mail; undefined for a wrong
 * code
 * @throws Problem 429 after too many wrong codes
 */
export async function redeemCode(
  context: CheckContext,
  { person, challenge }: Proven,
  { code, uid }: { code: string; uid: string | undefined },
): Promise<{ amr: readonly string[]; addressProof: AddressProof | undefined } | undefined> {
  const issued = challenge?.codeId ? { purpose: codePurpose, subject: challenge.codeId } : undefined
  const proven = await guessCode(context, { person, issued, code, asked: challenge?.by ?? 'email', uid })
  if (!proven) return undefined
  await endChallenge(context.db, context)
  return {
    amr: amrAfterPassword(proven),
    addressProof: signInMethods[proven].proves === 'mailbox' ? 'mailedCode' : undefined,
  }
}
