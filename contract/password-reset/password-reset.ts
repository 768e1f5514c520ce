import * as z from 'zod/mini'
import { email, message, text } from '#contract/fields/fields.ts'
import { confirmation, matchesField, newPassword } from '#contract/fields/password.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

/** The lifetime of a reset link in hours: the range for admins, and the defaults. */
export const resetLifetime = { min: 1, max: 168, byAdmin: 10, byAnybody: 1 } as const

/** A request for a reset link; the lifetime applies only when an admin of that person requests it. */
export const resetRequest = z.strictObject({
  email,
  tokenLifeTimeInHours: z.optional(
    z
      .int(message('invalidNumber'))
      .check(
        z.minimum(resetLifetime.min, message('invalidNumber')),
        z.maximum(resetLifetime.max, message('invalidNumber')),
      ),
  ),
})

const token = text(200).check(z.minLength(1, message('tokenRequired')))

/** A new password, chosen with the token of a reset link. */
export const passwordReset = z
  .strictObject({ email, newPassword, confirmNewPassword: confirmation, token })
  .check(matchesField('newPassword'))

/** The labels of the fields that are shown; address and token come with the link. */
export const passwordResetLabels: FieldLabels<Omit<z.infer<typeof passwordReset>, 'email' | 'token'>> = {
  newPassword: 'newPassword',
  confirmNewPassword: 'confirmNewPassword',
}

export const passwordResets = {
  request: route('POST /api/initiate-password-reset', {
    summary: 'Mails a link to choose a new password, if the account has one; the response is always the same',
    access: 'public',
    input: resetRequest,
    answer: 'nothing',
    audit: { atMost: ['requestPasswordReset'] },
    atomic: false,
  }),
  find: route('GET /api/reset-password/{token}', {
    summary: 'Whom a reset link is for; looking uses nothing up',
    access: 'public',
    limit: 'tokenLookup',
    limitCounts: 'failures',
    params: z.strictObject({ token }),
    answer: z.object({ email: z.string() }),
  }),
  reset: route('POST /api/reset-password', {
    summary: 'Sets a new password and ends every session of the account',
    access: 'public',
    freshProof: 'not needed: the mailed link is the proof',
    limit: 'tokenLookup',
    limitCounts: 'failures',
    input: passwordReset,
    answer: 'nothing',
    // An account that another person may have opened ends, and its memberships become invitations.
    audit: { one: 'resetPassword', andFollowing: ['deleteUser', 'inviteUser'] },
    atomic: false,
  }),
}

export const passwordResetPages = {
  request: route('GET /reset-password', {
    summary: 'Asks for a link to choose a new password',
    access: 'public',
    // The form itself, if submitted before the script has loaded: the page shows the typed address again.
    query: z.object({ email: z.catch(z.optional(text(254)), undefined) }),
    answer: 'html',
  }),
  reset: route('GET /reset-password/{token}', {
    summary: 'Chooses a new password, if the link is still good',
    access: 'public',
    params: z.strictObject({ token: text(1000) }),
    // Allow the query parameters that mail programs add to links.
    query: z.object({}),
    answer: 'html',
  }),
}
