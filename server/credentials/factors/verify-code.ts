import { recoveryCodeLength, type SecondFactorKind } from '#contract/second-factors.ts'
import { verifyCode } from '#server/platform/secrets/one-time-tokens.ts'
import type { CheckContext } from '../credentials.ts'
import type { Person } from '../people.repository.ts'
import { acceptAppCode } from './authenticator-apps.repository.ts'
import { takesMail } from './factors.repository.ts'
import { notifyOfFactor } from './notify-of-factor.ts'
import { takeRecoveryCode } from './recovery-codes.repository.ts'

interface TypedCode {
  person: Person
  /** Where a code was mailed or sent; undefined if none was. */
  issued: { purpose: string; subject: string } | undefined
  /** Without blanks. */
  code: string
}

/**
 * Uses up a code, whatever it is from: the app, a message, or the set of recovery codes. One field takes them all, so that
 * nobody has to say first which one it is.
 *
 * @returns what it proves; undefined for a wrong code
 */
export async function verifyTypedCode(
  context: CheckContext,
  { person, issued, code }: TypedCode,
): Promise<SecondFactorKind | 'recoveryCode' | undefined> {
  const { db, keys, now } = context
  const { accountId } = person
  if (code.length >= recoveryCodeLength)
    return (await acceptRecoveryCode(context, person, code)) ? 'recoveryCode' : undefined
  // Before the mailed code, which a wrong code would use up.
  if (await acceptAppCode(db, keys, { accountId, code, now })) return 'app'
  const result = issued && (await verifyCode(db, keys, { ...issued, code, now }))
  if (!result?.right) return undefined
  if (result.data.by === 'sms') return 'sms'
  // It may have been mailed before the mailbox proved the password.
  return (await takesMail(db, person, context.config.passkeyRpId)) ? 'email' : undefined
}

const acceptRecoveryCode = (context: CheckContext, person: Person, code: string) =>
  context.transact(async (db, audit) => {
    const { accountId, email, organizationIds } = person
    if (!(await takeRecoveryCode(db, { accountId, code, now: context.now }))) return false
    audit({ name: 'useRecoveryCode', actor: null, target: { id: accountId, label: email }, organizationIds })
    await notifyOfFactor(context, db, person, 'recoveryCodeUsed')
    return true
  })
