import * as z from 'zod/mini'
import { route } from '#contract/route.ts'
import { anyCode } from '#contract/sign-in/second-factor.ts'
import { codeDeliveryType } from '#contract/sign-in/sign-in.ts'

/** A session that proves more: password to password and code. BankID goes through the sign-in pages. */
export const stepUp = {
  start: route('POST /api/step-up/code', {
    summary: 'Sends a code to the person who is signed in; only this session can use it',
    access: 'signedIn',
    freshProof: 'not needed: this is how one is given',
    beforePasswordChange: true,
    beforeEnrolment: true,
    input: z.strictObject({ codeDeliveryType: z._default(z.optional(codeDeliveryType), 'email') }),
    answer: 'nothing',
    audit: 'none',
    atomic: false,
  }),
  verify: route('POST /api/step-up/code/verify', {
    summary:
      'Uses up a code that was sent, a code of the authenticator app, or a recovery code; a right one raises this session, which gets a new id',
    access: 'signedIn',
    freshProof: 'not needed: this is how one is given',
    beforePasswordChange: true,
    beforeEnrolment: true,
    input: z.strictObject({ code: anyCode }),
    answer: 'nothing',
    audit: { atMost: ['strengthenSession', 'loginFailure', 'useRecoveryCode'], andFollowing: 'strengthenSession' },
    atomic: false,
  }),
}
