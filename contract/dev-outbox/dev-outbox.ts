import * as z from 'zod/mini'
import { id, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** A mail or text message that was not sent, because no mail server or gateway is configured. */
export const outboxMessage = z.object({
  id,
  kind: z.enum(['mail', 'sms']),
  to: z.string(),
  /** Null for a text message, as is `html`. */
  subject: z.nullable(z.string()),
  text: z.string(),
  html: z.nullable(z.string()),
  at: timestamp,
})
/** The answer of `GET /dev/outbox` to `Accept: application/json`: newest first. */
export const outboxMessages = z.array(outboxMessage)
export type OutboxMessage = z.infer<typeof outboxMessage>

/** Pages for developers; not available in production. */
export const devOutbox = {
  list: route('GET /dev/outbox', {
    summary: 'What was sent, newest first: a page, or JSON for Accept: application/json',
    access: 'public',
    answer: 'html',
  }),
  message: route('GET /dev/outbox/{id}', {
    summary: 'The HTML of one mail, for a sandboxed frame',
    access: 'public',
    params: z.strictObject({ id }),
    answer: 'html',
  }),
  style: route('GET /dev/outbox.css', {
    summary: 'The style sheet of that page',
    access: 'public',
    answer: 'html',
  }),
}
