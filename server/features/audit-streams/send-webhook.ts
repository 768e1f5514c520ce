import { createHmac, randomBytes } from 'node:crypto'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { OutgoingFailure } from '#server/platform/outgoing/outgoing-failure.ts'

/** A new secret of an endpoint, as Standard Webhooks writes it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

interface Webhook {
  url: string
  /** The secret, and the previous one while it is being replaced. */
  secrets: readonly string[]
  /** The same at each attempt. */
  id: string
  body: string
  now: Date
}

/** What became of an attempt. The problem is a text key, or a status of HTTP. */
export type Delivery =
  | { delivered: true }
  | { delivered: false; problem: string; gone: boolean; retryAfter: Date | undefined }

/** Sends a message, signed after Standard Webhooks 1.0. Only a status of 200 to 299 counts as delivered. */
export async function sendWebhook(outgoing: Outgoing, { url, secrets, id, body, now }: Webhook): Promise<Delivery> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
  try {
    const { status, headers } = await outgoing.call(url, {
      use: 'webhook',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body,
    })
    if (status >= 200 && status < 300) return { delivered: true }
    const retryAfter = readRetryAfter(headers['retry-after'], now)
    return { delivered: false, problem: `HTTP ${status}`, gone: status === 410, retryAfter }
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return { delivered: false, problem: error.key, gone: false, retryAfter: undefined }
  }
}

const sign = (secret: string, text: string) =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64')

const longest = 24 * 3600 * 1000

/** Seconds or a date; at most a day ahead. */
function readRetryAfter(header: string | string[] | undefined, now: Date): Date | undefined {
  if (typeof header !== 'string') return undefined
  const time = /^\d{1,9}$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header)
  return Number.isNaN(time) ? undefined : new Date(Math.min(time, now.getTime() + longest))
}
