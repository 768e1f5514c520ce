import { isCompany, isLocal, loginMethods } from '#contract/login-methods.ts'
import { type CodeDeliveryType, isMessage } from '#contract/sign-in/sign-in.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import type { freshProof, ProofStep } from '#contract/step-up/fresh-proof.ts'
import { findFactors, kindsOf } from '#server/credentials/factors/factors.repository.ts'
import {
  findOwnFactors,
  freshFactors,
  hasProvenMoreThanMail,
  hasSecondProof,
  type OwnFactors,
  strengthOf,
  strongestOf,
} from '#server/credentials/fresh-proof/fresh-proof.ts'
import { raiseOwnSession } from '#server/credentials/fresh-proof/raise-own-session.ts'
import { proveOwnPassword } from '#server/credentials/own-password.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import type { SessionUser } from '#server/platform/system.ts'

/** Before a dangerous act: what would prove once more who it is, and the proof by password. */
export const freshProofHandlers = ({ hasBankId }: { hasBankId: boolean }): Handlers<typeof freshProof> => ({
  read: async ({ db, config, session, query, now }) => {
    const { user, proofs } = session
    const own = await findOwnFactors(db, user.accountId, config.passkeyRpId)
    const fresh = freshFactors(proofs, now)
    const factors = await findFactors(db, user.accountId, config.passkeyRpId)
    const byPhone = query.for === 'passkey' && !hasProvenMoreThanMail(session, factors, config)
    const isEnough = query.for === undefined || (!byPhone && hasSecondProof(session, now))
    if (isEnough && strengthOf(fresh) >= strongestOf({ ...user, ...own })) return { fresh: true, steps: [] }
    return {
      fresh: false,
      steps: stepsOf(user, own, {
        hasPassword: fresh.includes(signInMethods.password.proof),
        hasBankId: hasBankId && (loginMethods[user.loginMethod].first === 'bankid' || factors.hasBankId),
        byPhone,
        messages: kindsOf(factors).filter(isMessage),
        hasRecoveryCode: (factors.recoveryCodes?.left ?? 0) > 0,
      }),
    }
  },
  password: async (context) => {
    await proveOwnPassword(context, context.input.password)
    await raiseOwnSession(context, signInMethods.password.amr)
    return undefined
  },
})

/** Each alone leads on; BankID only with a number for which it counts. */
function stepsOf(
  { loginMethod }: SessionUser,
  own: OwnFactors,
  {
    hasPassword,
    hasBankId,
    byPhone,
    hasRecoveryCode,
    messages,
  }: {
    hasPassword: boolean
    hasBankId: boolean
    /** A code by mail is not enough. */
    byPhone: boolean
    hasRecoveryCode: boolean
    messages: CodeDeliveryType[]
  },
): ProofStep[] {
  // A security key is worth something only with the password.
  const keys: ProofStep[] = own.passkey || (own.key && hasPassword) ? ['passkey'] : []
  const sent = messages.toReversed().filter((by) => !byPhone || signInMethods[by].proves === 'phone')
  const codes: ProofStep[] = own.key ? [] : own.app ? ['app'] : sent
  // It stands in for what is lost, after the password.
  const recovery: ProofStep[] = hasPassword && hasRecoveryCode && (own.key || own.app) ? ['recoveryCode'] : []
  const bankid: ProofStep[] = hasBankId ? ['bankid'] : []
  if (!isLocal(loginMethod)) {
    const { first } = loginMethods[loginMethod]
    return [...(isCompany(loginMethod) ? [] : keys), ...(first === 'bankid' ? [] : [first]), ...bankid]
  }
  if (keys.length > 0) return [...keys, ...recovery, ...bankid]
  return [...(hasPassword ? [...codes, ...recovery] : (['password'] as const)), ...bankid]
}
