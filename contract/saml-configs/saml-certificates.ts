import * as z from 'zod/mini'
import { limited, message, storable, timestamp } from '#contract/fields/fields.ts'

/** One or several PEM certificates. The server checks that one of them can be used. */
export const certificateText = z.string(message('required')).check(
  limited(20_000),
  storable,
  z.trim(),
  z.minLength(1, { error: message('required'), abort: true }),
  z.refine((typed) => !/PRIVATE KEY/i.test(typed), { error: message('privateKeyGiven'), abort: true }),
)

/** What can be said about one certificate. Only a readable one has a subject, a fingerprint and an end. */
export const certificateState = z.object({
  status: z.enum(['valid', 'endsSoon', 'expired', 'notYetValid', 'weakKey', 'unreadable']),
  subject: z.nullable(z.string()),
  /** SHA-256, in hexadecimal with colons. */
  fingerprint: z.nullable(z.string()),
  validTo: z.nullable(timestamp),
})
export type CertificateState = z.infer<typeof certificateState>
