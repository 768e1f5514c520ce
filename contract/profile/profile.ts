import * as z from 'zod/mini'
import { email, message, optionalPhoneNumber, text, timestamp, version } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { enteredPassword, matchesField, newPassword } from '#contract/fields/password.ts'
import { optionalSsn } from '#contract/fields/ssn.ts'
import { needsNumber } from '#contract/login-methods.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { type LoginMethod, language, loginMethod } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { currentUser } from '#contract/session/session.ts'
import { personLabels } from '#contract/users/user-forms.ts'

const details = {
  firstName: requiredName(100),
  lastName: requiredName(100),
  ssn: optionalSsn,
  phoneNumber: optionalPhoneNumber,
}

/** The form of the account tab. With BankID the personal number is required, because it identifies the person. */
export const profileForm = (method: LoginMethod) =>
  z.strictObject(details).check(
    z.refine((form) => !needsNumber(method) || form.ssn !== null, {
      error: message('requiredWithBankId'),
      path: ['ssn'],
    }),
  )
export type ProfileForm = z.infer<ReturnType<typeof profileForm>>

const { firstName, lastName, ssn, phoneNumber } = personLabels
export const profileLabels: FieldLabels<ProfileForm> = { firstName, lastName, ssn, phoneNumber }

/** The fields of their own account that people change. */
export const ownFields = z.strictObject({ ...details, preferredLanguage: z.nullable(language) })

/** A change of the user's own account. Fields left out stay unchanged. Address and login method may be sent but not changed. */
export const profileChange = z.extend(z.partial(ownFields), {
  email: z.optional(email),
  loginMethod: z.optional(loginMethod),
  version: z.optional(version),
  /** Required to change ssn or phone number if the user has a password; otherwise ignored. */
  currentPassword: z.optional(enteredPassword),
})
export type ProfileChange = z.infer<typeof profileChange>

/** The form of the password tab. */
export const passwordChange = z
  .strictObject({ oldPassword: enteredPassword, newPassword, confirmNewPassword: text(1024) })
  .check(
    matchesField('newPassword'),
    z.refine((form) => form.newPassword.normalize('NFC') !== form.oldPassword.normalize('NFC'), {
      error: message('passwordUnchanged'),
      path: ['newPassword'],
    }),
  )

export const passwordLabels: FieldLabels<z.infer<typeof passwordChange>> = {
  oldPassword: 'oldPassword',
  newPassword: 'newPassword',
  confirmNewPassword: 'confirmNewPassword',
}

/** The public id of a session. It is not a credential, and none can be derived from it. */
const sessionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, message('notFound')))

/** One of the user's own sessions: its device and start. */
export const ownSession = z.object({
  id: sessionId,
  /** The browser's brand, such as `Firefox`; null if unknown. */
  browser: z.nullable(z.string()),
  /** The operating system, such as `Windows`; null if unknown. */
  system: z.nullable(z.string()),
  handheld: z.boolean(),
  signedInAt: timestamp,
  lastUsedAt: timestamp,
  /** True for the session of this request. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>

export const profile = {
  update: route('PUT /api/profile', {
    takesBack: '/api/me',
    summary:
      "Changes the caller's account; a new ssn or phone number needs the current password where there is one, and a fresh proof of an account with more",
    access: 'signedIn',
    freshProof: 'loaded',
    input: profileChange,
    answer: currentUser,
    // A request that changes nothing is not audited.
    audit: { atMost: ['updateUser', 'loginFailure'] },
    atomic: false,
  }),
  changePassword: route('PUT /api/profile/password', {
    summary:
      "Changes the caller's password and ends every other session of the account; needs a fresh proof of an account with more than a password",
    access: 'signedIn',
    freshProof: 'loaded',
    beforePasswordChange: true,
    beforeEnrolment: true,
    input: passwordChange,
    answer: 'nothing',
    audit: ['changePassword', 'loginFailure'],
    atomic: false,
  }),
  sessions: route('GET /api/profile/sessions', {
    summary: "The caller's sessions, the current one first, then the last used ones",
    access: 'signedIn',
    answer: z.array(ownSession),
  }),
  endSession: route('DELETE /api/profile/sessions/{id}', {
    summary: "Ends one of the caller's sessions",
    access: 'signedIn',
    freshProof: true,
    params: z.strictObject({ id: sessionId }),
    answer: 'nothing',
    audit: 'logout',
    atomic: false,
  }),
  endOtherSessions: route('DELETE /api/profile/sessions', {
    summary: 'Ends every session of the caller except the current one',
    access: 'signedIn',
    freshProof: true,
    answer: 'nothing',
    audit: { atMost: ['logout'] },
    atomic: false,
  }),
}
