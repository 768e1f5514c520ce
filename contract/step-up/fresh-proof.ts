import * as z from 'zod/mini'
import { message, text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { type MethodName, methodsWhere } from '#contract/sign-in-methods.ts'

/**
 * A next step towards a fresh proof. A code, where the account asks for one, follows the password. `bankid` and `company` lead
 * to the sign-in pages.
 */
export type ProofStep = Exclude<MethodName, 'securityKey'>
export const proofStep = z.enum(methodsWhere(() => true).filter((name): name is ProofStep => name !== 'securityKey'))

/** Before a dangerous act a person proves once more who they are, by the strongest factor that the account has. */
export const freshProof = {
  read: route('GET /api/step-up', {
    summary: 'Whether the last proof is fresh and strong enough for a dangerous call, and else each possible next step',
    access: 'signedIn',
    beforePasswordChange: true,
    beforeEnrolment: true,
    query: z.strictObject({
      /** `factor`: for a new factor, which a password alone never gives; `passkey`: nor a code by mail, after a proven phone. */
      for: z.optional(z.enum(['factor', 'passkey'])),
    }),
    answer: z.object({ fresh: z.boolean(), steps: z.array(proofStep) }),
  }),
  password: route('POST /api/step-up/password', {
    summary: 'Proves the own password once more; too many wrong ones end the session',
    access: 'signedIn',
    freshProof: 'not needed: this is how one is given',
    beforePasswordChange: true,
    beforeEnrolment: true,
    input: z.strictObject({ password: text(256).check(z.minLength(1, message('required'))) }),
    answer: 'nothing',
    audit: ['strengthenSession', 'loginFailure'],
    atomic: false,
  }),
}
