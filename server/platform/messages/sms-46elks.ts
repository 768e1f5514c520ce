import * as z from 'zod/mini'
import { type Sms, SmsFailure } from './sms.ts'
import { parseJson, postToGateway, type SmsAccount } from './sms-gateway.ts'

const answer = z.object({ id: z.string(), status: z.optional(z.string()) })

/** 46elks (https://46elks.com/docs/send-sms): user name and password of the API; errors are plain text. */
export const createElks = (account: SmsAccount): Sms => ({
  send: async ({ to, text, signal }) => {
    const body = await postToGateway({
      gateway: '46elks',
      account,
      path: '/a1/sms',
      form: { from: account.from, to, message: text },
      signal,
      reason: (refusal) => (refusal.includes(account.password) ? undefined : withoutNumbers(refusal)),
    })
    const sent = z.safeParse(answer, parseJson(body))
    if (!sent.success) throw new SmsFailure('46elks sent an unexpected response', { retry: false })
    if (sent.data.status === 'failed') throw new SmsFailure('46elks could not send the message', { retry: true })
  },
})

// An error may quote the recipient's or the sender's number; the rest names the invalid field.
const withoutNumbers = (text: string) =>
  text
    .slice(0, 120)
    .replaceAll(/\+?\d[\d\s-]{3,}/g, '[number]')
    .replaceAll(/\s+/g, ' ')
    .trim()
