import type { secondFactor } from '#contract/second-factor.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { findChallenge } from './challenge.ts'
import { findCodeDelivery } from './code-delivery.repository.ts'
import { checkPassword } from './credentials.ts'
import { provePassword, redeemCode } from './second-factor.ts'
import { sendCode } from './send-code.ts'
import { giveTicket } from './ticket.ts'

/** RFC 8176: a password and a one-time code, which makes two factors. */
export const twoFactors = ['pwd', 'otp', 'mfa']
const methods = ['local2FA'] as const

export const secondFactorHandlers: Handlers<typeof secondFactor> = {
  start: async (context) => {
    const { email, password, codeDeliveryType = 'email' } = context.input
    const person = await checkPassword(context, { email, password, methods })
    if (!person) throw new Problem(401, 'invalidCredentials')
    await sendCode(context, { person, password, by: codeDeliveryType })
    return undefined
  },
  verify: async (context) => {
    const { email, password, code } = context.input
    const proven = await provePassword(context, { email, password, methods })
    if (!proven) throw new Problem(401, 'invalidCredentials')
    if (!(await redeemCode(context, proven, code))) throw new Problem(401, 'invalidCode')
    await giveTicket(context, context.http.reply, { ...proven.person, amr: twoFactors })
    return undefined
  },
  delivery: async (context) => {
    const { messageId } = found(await findChallenge(context.db, context))
    return { delivery: await findCodeDelivery(context.db, messageId) }
  },
}
