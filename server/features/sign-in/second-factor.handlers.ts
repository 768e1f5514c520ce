import type { secondFactor } from '#contract/sign-in/second-factor.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findChallenge } from './challenge.ts'
import { findCodeDelivery } from './code-delivery.repository.ts'
import { checkPassword } from './credentials.ts'
import { redeemCode, withProvenPassword } from './second-factor.ts'
import { sendCode } from './send-code.ts'
import { issueTicket } from './ticket.ts'

const methods = ['local2FA'] as const

export const secondFactorHandlers: Handlers<typeof secondFactor> = {
  start: async (context) => {
    const { email, password, uid, codeDeliveryType = 'email' } = context.input
    const person = await checkPassword(context, { email, password, methods, uid })
    if (!person) throw new Problem(401, 'invalidCredentials')
    await sendCode(context, { person, password, by: codeDeliveryType })
    return undefined
  },
  verify: async (context) => {
    const { email, password, code, uid } = context.input
    const ticket = await withProvenPassword(context, { email, password, methods, uid }, async (proven) => {
      const redeemed = await redeemCode(context, proven, { code, uid })
      if (!redeemed) throw new Problem(401, 'invalidCode')
      return { ...proven.person, ...redeemed }
    })
    if (!ticket) throw new Problem(401, 'invalidCredentials')
    await issueTicket(context, context.http.reply, ticket)
    return undefined
  },
  delivery: async (context) => {
    const { messageId } = found(await findChallenge(context.db, context))
    return { delivery: await findCodeDelivery(context.db, messageId) }
  },
}
