import { twoStepMethods } from '#contract/login-methods.ts'
import type { secondFactor } from '#contract/sign-in/second-factor.ts'
import { findChallenge } from '#server/credentials/challenge.ts'
import { findCodeDelivery } from '#server/credentials/code-delivery.repository.ts'
import { checkPassword } from '#server/credentials/credentials.ts'
import { findFactors, kindsOf } from '#server/credentials/factors/factors.repository.ts'
import { redeemCode, withProvenPassword } from '#server/credentials/second-factor.ts'
import { beginSecondStep } from '#server/credentials/send-code.ts'
import { issueTicket } from '#server/credentials/ticket.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { offerKeys, takeSecondKey } from './passkey/second-factor-passkey.ts'

export const secondFactorHandlers = ({ hasBankId }: { hasBankId: boolean }): Handlers<typeof secondFactor> => ({
  start: async (context) => {
    const { email, password, uid, codeDeliveryType: by } = context.input
    const person = await checkPassword(context, { email, password, methods: twoStepMethods, uid })
    if (!person) throw new Problem(401, 'invalidCredentials')
    await beginSecondStep(context, { person, password, by })
    return undefined
  },
  verify: async (context) => {
    const { email, password, code, uid } = context.input
    const ticket = await withProvenPassword(
      context,
      { email, password, methods: twoStepMethods, uid },
      async (proven) => {
        const redeemed = await redeemCode(context, proven, { code, uid })
        if (!redeemed) throw new Problem(401, 'invalidCode')
        return { ...proven.person, ...redeemed }
      },
    )
    if (!ticket) throw new Problem(401, 'invalidCredentials')
    await issueTicket(context, context.http.reply, ticket)
    return undefined
  },
  choices: async (context) => {
    const { accountId, by } = found(await findChallenge(context.db, context))
    const own = await findFactors(context.db, accountId, context.config.passkeyRpId)
    return {
      asked: by,
      kinds: kindsOf(own),
      recoveryCodes: (own.recoveryCodes?.left ?? 0) > 0,
      phoneUnconfirmed: own.unconfirmed.includes('phoneNumber'),
      bankid: hasBankId && own.hasBankId,
    }
  },
  passkeyOptions: offerKeys,
  verifyPasskey: takeSecondKey,
  delivery: async (context) => {
    const { messageId } = found(await findChallenge(context.db, context))
    if (messageId === null) return { delivery: 'sent' }
    return { delivery: await findCodeDelivery(context.db, messageId) }
  },
})
