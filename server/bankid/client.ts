import { Agent, request } from 'undici'
import * as z from 'zod/mini'
import { type BankId, BankIdFailure } from './bankid.ts'
import type { BankIdCertificate } from './certificate.ts'

interface ClientOptions {
  /** With the version: `https://appapi2.bankid.com/rp/v6.0`. */
  url: string
  certificate: BankIdCertificate | undefined
  /** Milliseconds for a connection and for an answer; BankID recommends 5 s. */
  timeout?: number
}

// Unknown fields are allowed: BankID may add some.
const order = z.object({
  orderRef: z.string(),
  autoStartToken: z.string(),
  qrStartToken: z.string(),
  qrStartSecret: z.string(),
})
const hintCode = z.catch(z.string(), 'unknown')
const progress = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), hintCode }),
  z.object({ status: z.literal('failed'), hintCode }),
  z.object({
    status: z.literal('complete'),
    completionData: z.object({
      user: z.object({ personalNumber: z.string().check(z.regex(/^[0-9]{12}$/)) }),
      risk: z.optional(z.string()),
    }),
  }),
])
const refusal = z.object({ errorCode: z.catch(z.string(), '') })

/**
 * Client of BankID's relying party API over mutual TLS. Only BankID's own CA is trusted
 * (https://developers.bankid.com, API version 6.0).
 */
export function createBankIdClient({ url, certificate, timeout = 5000 }: ClientOptions): BankId {
  const { ends, ...tls } = certificate ?? { ends: undefined }
  const agent = new Agent({ connect: { ...tls, timeout }, headersTimeout: timeout, bodyTimeout: timeout })

  async function call<Answer>(name: string, input: object, answer: z.ZodMiniType<Answer>): Promise<Answer> {
    const { status, body } = await send(name, input)
    if (status !== 200) throw failureOf(name, status, z.safeParse(refusal, body).data?.errorCode ?? '')
    const read = z.safeParse(answer, body)
    if (!read.success) throw new BankIdFailure('unavailable', `BankID ${name}: invalid response`)
    return read.data
  }

  async function send(name: string, input: object): Promise<{ status: number; body: unknown }> {
    try {
      const { statusCode, body } = await request(`${url}/${name}`, {
        dispatcher: agent,
        method: 'POST',
        // Without a charset: otherwise BankID returns 415.
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(timeout),
      })
      const text = await body.text()
      return { status: statusCode, body: asJson(text) }
    } catch (cause) {
      throw new BankIdFailure('unavailable', `BankID ${name}: ${(cause as { code?: string }).code ?? 'no answer'}`, {
        cause,
      })
    }
  }

  return {
    certificateEnds: ends,
    begin: ({ endUserIp, visibleText, returnUrl, web }) =>
      call(
        'auth',
        {
          endUserIp,
          userVisibleData: Buffer.from(visibleText, 'utf8').toString('base64'),
          returnUrl,
          returnRisk: true,
          web,
        },
        order,
      ),
    async collect(orderRef) {
      const result = await call('collect', { orderRef }, progress)
      if (result.status !== 'complete') return result
      const { user, risk } = result.completionData
      return { status: 'complete', personalNumber: user.personalNumber, risk: risk?.toLowerCase() }
    },
    async cancel(orderRef) {
      await call('cancel', { orderRef }, z.unknown())
    },
    close: () => agent.close(),
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(name: string, status: number, errorCode: string): BankIdFailure {
  // BankID varies the case of its error codes.
  const code = errorCode.toLowerCase()
  const message = `BankID ${name}: ${status} ${errorCode}`.trimEnd()
  if (code === 'alreadyinprogress') return new BankIdFailure('alreadyInProgress', message)
  if (status === 408 || status === 429 || status >= 500) return new BankIdFailure('unavailable', message)
  if (status === 400 && name !== 'auth') return new BankIdFailure('noOrder', message)
  return new BankIdFailure('refused', message)
}
