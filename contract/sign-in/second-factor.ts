import * as z from 'zod/mini'
import { message, text } from '#contract/fields/fields.ts'
import { usedCredential } from '#contract/passkeys/credentials.ts'
import { requestOptions } from '#contract/passkeys/passkeys.ts'
import { route } from '#contract/route.ts'
import { recoveryCodeLength, secondFactorKind } from '#contract/second-factors.ts'
import { codeEvents, credentials } from './sign-in.ts'

/** The number of digits of a sign-in code (product-rules 4.4). */
const codeLength = 6

/** A code as it is typed. */
export const code = text(16).check(
  z.overwrite((typed) => typed.replaceAll(/\s/g, '')),
  z.length(codeLength, message('invalidCode')),
)

/** A code of six digits, or a recovery code; its hyphens do not count. */
export const anyCode = text(64).check(
  z.overwrite((typed) => typed.replaceAll(/[\s-]/g, '')),
  z.refine(({ length }) => length === codeLength || length === recoveryCodeLength, message('invalidCode')),
)

/** The delivery state of a code. `failed` also while it is retried, because the user will not wait that long. */
export const codeDelivery = z.enum(['queued', 'sent', 'failed'])
export type CodeDelivery = z.infer<typeof codeDelivery>

/** The two calls of a sign-in with `local2FA` before the form is posted, and the delivery state of the code. */
export const secondFactor = {
  start: route('POST /api/start-2fa-login', {
    summary:
      'Checks a password and sends a code; an earlier code stops working. Only this browser can use it. Without codeDeliveryType it asks for the factor that the person has chosen, which may need no message',
    access: 'public',
    input: credentials,
    answer: 'nothing',
    audit: { atMost: ['loginFailure'] },
    atomic: false,
  }),
  verify: route('POST /api/verify-credentials-2fa', {
    summary:
      'Uses up a code that was sent, a code of the authenticator app, or a recovery code; a right one gives this browser a ticket for the completion of its sign-in',
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    input: z.extend(credentials, { code: anyCode }),
    answer: 'nothing',
    audit: { atMost: codeEvents },
    atomic: false,
  }),
  choices: route('GET /api/2fa-factors', {
    summary: 'What this browser is asked for after a right password, and which other factors the person has',
    access: 'public',
    answer: z.object({
      /** Null where a recovery code or BankID is all there is. */
      asked: z.nullable(secondFactorKind),
      kinds: z.array(secondFactorKind),
      /** Whether any is left. */
      recoveryCodes: z.boolean(),
      /** Whether there is a phone number that gets no codes before its owner has confirmed it. */
      phoneUnconfirmed: z.boolean(),
      /** Whether BankID stands in for them: the person has proven the own number with it. */
      bankid: z.boolean(),
    }),
  }),
  passkeyOptions: route('POST /api/2fa-passkey', {
    summary:
      'What the browser needs for a passkey or security key after a right password; the challenge is good once, for 5 minutes, in this browser',
    access: 'public',
    input: z.strictObject({}),
    answer: requestOptions,
    audit: 'none',
  }),
  verifyPasskey: route('POST /api/verify-credentials-passkey', {
    summary:
      'Takes the proof by a passkey or security key after a right password; a right one gives this browser a ticket for the completion of its sign-in',
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    input: z.extend(credentials, { credential: usedCredential }),
    answer: 'nothing',
    audit: { atMost: ['loginFailure', 'stopPasskey'] },
    atomic: false,
  }),
  delivery: route('GET /api/2fa-delivery', {
    summary: 'Whether the code that this browser asked for has left',
    access: 'public',
    answer: z.object({ delivery: codeDelivery }),
  }),
}
