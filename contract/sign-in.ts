import * as z from 'zod/mini'
import { email, message, text } from './fields.ts'
import { loginMethod } from './roles.ts'
import { route } from './route.ts'

/** Names an interaction of the OpenID Provider. Any other text is one that is over: it leads to a fresh sign-in. */
const uid = z.strictObject({ uid: text(200) })

// An address that people land on by links, bookmarks and the back button: what cannot be understood is left out rather
// than refused, so that sign-in never ends on an error page.
const ifReadable = z.catch(z.optional(text(4000)), undefined)
const pageQuery = z.object({ email: ifReadable, error: ifReadable })

/** How a code gets to its owner. */
export const codeDeliveryType = z.enum(['email', 'sms'])

/** What the sign-in form of the specification sends along, and what a step does not need. */
export const credentials = z.strictObject({
  email,
  /** The address once more; the specification sends it, and nothing depends on it. */
  login: z.optional(text(254)),
  password: text(256).check(z.minLength(1, message('required'))),
  codeDeliveryType: z.optional(codeDeliveryType),
  code: z.optional(text(16)),
})

export const signIn = {
  login: route('GET /login', {
    summary: 'Begins a sign-in to the portal',
    access: 'public',
    query: z.object({
      returnTo: ifReadable,
      email: ifReadable,
      /** What the sign-in page says first: why the one before came to nothing. */
      error: ifReadable,
      /** `login`: the person proves anew who is there, also with a session. */
      prompt: z.catch(z.optional(z.literal('login')), undefined),
    }),
    answer: 'redirect',
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
    params: uid,
    body: 'form',
    bodyLimit: 16 * 1024,
    // Browsers send every field of the form; what is wrong is told on the page, not by a refusal.
    input: z.strictObject({
      email: z.optional(text(1000)),
      login: z.optional(text(1000)),
      password: z.optional(text(1000)),
      code: z.optional(text(1000)),
    }),
    answer: 'redirect',
    audit: { atMost: ['loginSuccess', 'loginFailure'] },
    atomic: false,
  }),
  authType: route('GET /api/authType', {
    summary: 'How the person with this address signs in; an unknown address gets the answer that a colleague would get',
    access: 'public',
    limit: 'authType',
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

export const signOut = {
  page: route('GET /logout', {
    summary: 'Signs out by posting a form',
    access: 'public',
    answer: 'html',
  }),
  logout: route('POST /logout', {
    summary: 'Ends the session, its tokens and grants, and tells the services that asked to be told',
    access: 'public',
    body: 'form',
    bodyLimit: 1024,
    input: z.strictObject({}),
    answer: 'redirect',
    audit: { atMost: ['logout'] },
    atomic: false,
  }),
  expiredPage: route('GET /session-expired', {
    summary: 'Tells that the session is over',
    access: 'public',
    answer: 'html',
  }),
}
