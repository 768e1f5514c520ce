import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { signInEvents } from './sign-in-events.ts'

/** Sign-in with a passkey alone. The challenge stands in the sign-in page, and is good as long as its interaction. */
export const passkeySignIn = {
  complete: route('POST /interaction/{uid}/passkey', {
    summary: 'Completes a sign-in with a passkey; an unknown one is refused like any other',
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    params: z.strictObject({ uid: text(200) }),
    body: 'form',
    bodyLimit: 32 * 1024,
    input: z.strictObject({
      /** The JSON of the browser's answer. */
      credential: z.optional(text(16_000)),
      /** What stood in the field, to show it again after a failure. */
      email: z.optional(text(1000)),
    }),
    answer: 'redirect',
    audit: { atMost: [...signInEvents, 'stopPasskey'] },
    atomic: false,
  }),
}
