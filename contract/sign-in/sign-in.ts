import * as z from 'zod/mini'
import { email, id, message, text } from '#contract/fields/fields.ts'
import { loginMethod } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { type MethodName, methodsWhere, raisingMethods, signInMethods } from '#contract/sign-in-methods.ts'
import { signInEvents } from './sign-in-events.ts'

/** The id of an interaction of the OpenID Provider. An unknown id is treated as expired and starts a new sign-in. */
const uid = z.strictObject({ uid: text(200) })

// People reach this address by links, bookmarks and the back button: ignore invalid values, so that sign-in never ends on
// an error page.
const ifReadable = z.catch(z.optional(text(4000)), undefined)
const pageQuery = z.object({
  email: ifReadable,
  error: ifReadable,
  /** Of a failed sign-in at an organisation, for the page to show. */
  reference: z.catch(z.optional(z.uuid()), undefined),
})

type Records = typeof signInMethods
/** How a code is sent. */
export type CodeDeliveryType = {
  [Name in MethodName]: Records[Name] extends { step: 'message' } ? Name : never
}[MethodName]
/** Whether a method is a code that is sent. */
export const isMessage = (name: MethodName): name is CodeDeliveryType => signInMethods[name].step === 'message'
export const codeDeliveryType = z.enum(methodsWhere(({ step }) => step === 'message').filter(isMessage))

/** The credentials, with extra fields that a client's form may send. */
export const credentials = z.strictObject({
  email,
  /** The address again, which some clients send; ignored. */
  login: z.optional(text(254)),
  password: text(256).check(z.minLength(1, message('required'))),
  codeDeliveryType: z.optional(codeDeliveryType),
  code: z.optional(text(64)),
  /** The interaction, so that the audit event of a failure can name the service. */
  uid: z.optional(text(200)),
})

/** Of the calls that take a code. */
export const codeEvents = ['loginFailure', 'useRecoveryCode'] as const

export const signIn = {
  login: route('GET /login', {
    summary: 'Begins a sign-in to the portal',
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    query: z.object({
      returnTo: ifReadable,
      email: ifReadable,
      /** The error of a previous attempt, for the sign-in page to show. */
      error: ifReadable,
      /** The organisation whose brand the sign-in shows. */
      org: z.catch(z.optional(id), undefined),
      /** `login`: the person must sign in again, even with a session. */
      prompt: z.catch(z.optional(z.literal('login')), undefined),
      /**
       * `bankid` and its like: whatever the account's own method is, to raise a session. `invitation`: the person of `email` has just
       * accepted one in this browser, and is signed in by that where it proved enough.
       */
      method: z.catch(z.optional(z.enum([...raisingMethods, 'invitation'])), undefined),
      /** The request before sent no cookie, and its answer set one. */
      cookies: z.catch(z.optional(z.literal('set')), undefined),
    }),
    answer: 'redirect',
    audit: { atMost: signInEvents },
    atomic: false,
  }),
  signedIn: route('GET /signed-in', {
    summary: 'Where a sign-in to the portal ends: goes on to where it was to lead',
    access: 'public',
    session: false,
    query: z.object({ state: ifReadable }),
    answer: 'redirect',
  }),
  emailPage: route('GET /interaction/{uid}', {
    summary: 'First step of a sign-in: the e-mail address',
    access: 'public',
    params: uid,
    query: pageQuery,
    answer: 'html',
  }),
  passwordPage: route('GET /interaction/{uid}/login', {
    summary: 'Second step of a sign-in: the proof',
    access: 'public',
    params: uid,
    query: pageQuery,
    answer: 'html',
  }),
  complete: route('POST /interaction/{uid}/login', {
    summary: 'Completes a sign-in: uses the ticket of an earlier check, or checks the password itself',
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    params: uid,
    body: 'form',
    bodyLimit: 16 * 1024,
    // Browsers send every field of the form; errors are shown on the page instead of being refused.
    input: z.strictObject({
      email: z.optional(text(1000)),
      login: z.optional(text(1000)),
      password: z.optional(text(1000)),
      code: z.optional(text(1000)),
    }),
    answer: 'redirect',
    audit: { atMost: [...signInEvents, 'useRecoveryCode'] },
    atomic: false,
  }),
  authType: route('GET /api/authType', {
    summary: 'How the person with this address signs in; an unknown address gets the answer that a colleague would get',
    access: 'public',
    limit: 'authType',
    limitCounts: 'byHandler',
    query: z.strictObject({ email }),
    answer: z.object({ authType: loginMethod, hasPhoneNumber: z.boolean() }),
  }),
  verifyCredentials: route('POST /api/verify-credentials', {
    summary: 'Checks a password; a right one gives this browser a ticket for the completion of its sign-in',
    access: 'public',
    input: credentials,
    answer: 'nothing',
    audit: { atMost: ['loginFailure'] },
    atomic: false,
  }),
}

/** How far a sign-out has come at a service; `untold`: it has no address for it. */
export const logoutState = z.enum(['queued', 'told', 'failed', 'untold'])
export type LogoutState = z.infer<typeof logoutState>

export const signOut = {
  page: route('GET /logout', {
    summary: 'Signs out by posting a form',
    access: 'public',
    answer: 'html',
  }),
  logout: route('POST /logout', {
    summary: 'Ends the session, its tokens and grants, and notifies the services that registered for it',
    access: 'public',
    freshProof: 'not needed: only the session of this browser ends',
    body: 'form',
    bodyLimit: 1024,
    input: z.strictObject({}),
    answer: 'redirect',
    audit: { atMost: ['logout'] },
    atomic: false,
  }),
  signedOutPage: route('GET /signed-out', {
    summary:
      'Shows after a sign-out which services were told of it, and goes on to the company that signed the person in',
    access: 'public',
    session: false,
    query: z.object({ company: z.catch(z.optional(text(100)), undefined) }),
    answer: 'html',
  }),
  toldServices: route('GET /signed-out/services', {
    summary: 'The services of the sign-out that this browser has just made, and whether they have confirmed it',
    access: 'public',
    session: false,
    answer: z.object({
      services: z.array(
        z.object({
          name: z.string(),
          state: logoutState,
          /** To be opened in a hidden frame, which signs the person out at the service (OpenID Connect Front-Channel Logout). */
          frame: z.nullable(z.string()),
        }),
      ),
      /** Where to go once the frames have been opened; null: nowhere. */
      onward: z.nullable(z.string()),
    }),
  }),
  expiredPage: route('GET /session-expired', {
    summary: 'Tells that the session is over',
    access: 'public',
    answer: 'html',
  }),
}
