import * as z from 'zod/mini'
import { email, message, moment, requiredText } from './fields.ts'
import { enteredPassword, newPassword, sameAs } from './password.ts'
import { type LoginMethod, language, loginMethod } from './roles.ts'
import { route } from './route.ts'
import { version } from './services.ts'
import { currentUser } from './session.ts'
import { optionalSsn } from './ssn.ts'
import { optionalPhoneNumber } from './user-forms.ts'

const details = {
  firstName: requiredText(100),
  lastName: requiredText(100),
  ssn: optionalSsn,
  phoneNumber: optionalPhoneNumber,
}

/** The form of the account tab. BankID finds a person by the number, so there it cannot be left empty. */
export const profileForm = (method: LoginMethod) =>
  z.strictObject(details).check(
    z.refine((form) => method !== 'bankid' || form.ssn !== null, {
      error: message('requiredWithBankId'),
      path: ['ssn'],
    }),
  )
export type ProfileForm = z.infer<ReturnType<typeof profileForm>>

/** A change of the own account: what is left out stays. Address and sign-in method may be sent, but not changed. */
export const profileChange = z.strictObject({
  firstName: z.optional(details.firstName),
  lastName: z.optional(details.lastName),
  ssn: z.optional(details.ssn),
  phoneNumber: z.optional(details.phoneNumber),
  preferredLanguage: z.optional(z.nullable(language)),
  email: z.optional(email),
  loginMethod: z.optional(loginMethod),
  version: z.optional(version),
  /** Wanted for a change of ssn or phone number by somebody who has a password; otherwise not looked at. */
  currentPassword: z.optional(enteredPassword),
})
export type ProfileChange = z.infer<typeof profileChange>

/** What somebody had changed in the form of the account tab when a new sign-in had to come first. */
export const profileDraft = z.strictObject({
  firstName: z.optional(details.firstName),
  lastName: z.optional(details.lastName),
  ssn: z.optional(details.ssn),
  phoneNumber: z.optional(details.phoneNumber),
})
export type ProfileDraft = z.infer<typeof profileDraft>

/** The form of the password tab. */
export const passwordChange = z
  .strictObject({ oldPassword: enteredPassword, newPassword, confirmNewPassword: z.string(message('required')) })
  .check(
    sameAs('newPassword'),
    z.refine((form) => form.newPassword.normalize('NFC') !== form.oldPassword.normalize('NFC'), {
      error: message('passwordUnchanged'),
      path: ['newPassword'],
    }),
  )

/** How a session is named to its owner. It opens nothing, and nothing that does can be made from it. */
const sessionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, message('notFound')))

/** One of the own sessions: on which device, and since when. */
export const ownSession = z.object({
  id: sessionId,
  /** A brand's name, `Firefox`; null where the browser did not say so. */
  browser: z.nullable(z.string()),
  /** A brand's name, `Windows`; null likewise. */
  system: z.nullable(z.string()),
  handheld: z.boolean(),
  signedInAt: moment,
  lastUsedAt: moment,
  /** The session that asks. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>

export const profile = {
  update: route('PUT /api/profile', {
    summary:
      'Changes the own account; a new ssn or phone number needs the current password, or a BankID or company sign-in of the last 15 minutes',
    access: 'signedIn',
    input: profileChange,
    answer: currentUser,
    // What changes nothing leaves nothing.
    audit: { atMost: ['updateUser', 'loginFailure'] },
    atomic: false,
  }),
  keepDraft: route('PUT /api/profile/draft', {
    summary:
      'Keeps what was typed on the account page for as long as a new sign-in may take: 15 minutes, in this browser',
    access: 'signedIn',
    input: profileDraft,
    answer: 'nothing',
    audit: 'none',
    atomic: false,
  }),
  takeDraft: route('GET /api/profile/draft', {
    summary: 'What this person had typed in this browser before signing in again; it is given once',
    access: 'signedIn',
    answer: z.object({ draft: z.nullable(profileDraft) }),
  }),
  changePassword: route('PUT /api/profile/password', {
    summary: 'Changes the own password and ends every other session of the account',
    access: 'signedIn',
    beforePasswordChange: true,
    input: passwordChange,
    answer: 'nothing',
    audit: ['changePassword', 'loginFailure'],
    atomic: false,
  }),
  sessions: route('GET /api/profile/sessions', {
    summary: 'The own sessions, the one that asks first, then the last used ones',
    access: 'signedIn',
    answer: z.array(ownSession),
  }),
  endSession: route('DELETE /api/profile/sessions/{id}', {
    summary: 'Ends one of the own sessions',
    access: 'signedIn',
    params: z.strictObject({ id: sessionId }),
    answer: 'nothing',
    audit: 'logout',
    atomic: false,
  }),
  endOtherSessions: route('DELETE /api/profile/sessions', {
    summary: 'Ends every own session but the one that asks',
    access: 'signedIn',
    answer: 'nothing',
    audit: { atMost: ['logout'] },
    atomic: false,
  }),
}
