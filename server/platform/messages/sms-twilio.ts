import * as z from 'zod/mini'
import { type Sms, SmsFailure } from './sms.ts'
import { parseJson, postToGateway, type SmsAccount } from './sms-gateway.ts'

const answer = z.object({ sid: z.string(), error_code: z.optional(z.nullable(z.number())) })
const refusal = z.object({ code: z.number() })

/** Twilio (https://www.twilio.com/docs/messaging/api/message-resource): account SID and auth token. */
export const createTwilio = (account: SmsAccount): Sms => ({
  send: async ({ to, text, signal }) => {
    const body = await postToGateway({
      gateway: 'Twilio',
      account,
      path: `/2010-04-01/Accounts/${encodeURIComponent(account.username)}/Messages.json`,
      form: { To: to, ...sender(account.from), Body: text },
      signal,
      // Only the code (https://www.twilio.com/docs/api/errors), because the message quotes the number.
      reason: (body) => {
        const { data } = z.safeParse(refusal, parseJson(body))
        return data && `error ${data.code}`
      },
    })
    const sent = z.safeParse(answer, parseJson(body))
    if (!sent.success) throw new SmsFailure('Twilio sent an unexpected response', { retry: false })
    if (sent.data.error_code) throw new SmsFailure(`Twilio: error ${sent.data.error_code}`, { retry: false })
  },
})

const sender = (from: string): Record<string, string> =>
  /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from }
