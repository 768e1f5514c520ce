import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { samlConfigParams } from '#contract/saml-configs/saml-configs.ts'
import { signInEvents } from './sign-in-events.ts'

/** The id of an interaction of the OpenID Provider. An unknown id is treated as expired and starts a new sign-in. */
const uid = z.strictObject({ uid: text(200) })

// Other sites redirect browsers here: ignore invalid values and show the error on the sign-in page.
const ifReadable = (max: number) => z.catch(z.optional(text(max)), undefined)

/** Sign-in at the company's own identity provider (SAML 2.0). */
export const saml = {
  begin: route('GET /interaction/{uid}/saml', {
    summary:
      'Sends the browser on to the sign-in of the company that this address belongs to; the request is good once',
    access: 'public',
    session: false,
    params: uid,
    query: z.object({
      email: ifReadable(1000),
      /** The configuration, where the sign-in began at its own address; else that of the e-mail address. */
      company: z.catch(z.optional(samlConfigParams.shape.id), undefined),
    }),
    answer: 'redirect',
  }),
  answer: route('POST /saml/{id}/acs', {
    summary:
      "Takes the answer of a company's identity provider (assertion consumer service); posted by its page, from another site and without a cookie",
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    session: false,
    params: samlConfigParams,
    body: 'form',
    bodyLimit: 256 * 1024,
    // Allow extra form fields that identity providers send, such as the name of a button.
    input: z.object({ SAMLResponse: ifReadable(256 * 1024), RelayState: ifReadable(80) }),
    answer: 'redirect',
    audit: {
      atMost: ['loginFailure', 'createUser'],
      // What an account at the address was that nobody had proven.
      andFollowing: ['applyGroupRules', 'deleteUser', 'inviteUser'],
    },
    atomic: false,
  }),
  complete: route('GET /interaction/{uid}/saml/complete', {
    summary: 'Completes a sign-in in the browser that began it: uses up what the answer left',
    access: 'public',
    freshProof: 'not needed: a sign-in is itself the proof',
    params: uid,
    query: z.object({ ticket: ifReadable(100) }),
    answer: 'redirect',
    audit: { atMost: signInEvents },
    atomic: false,
  }),
  send: route('GET /saml/{id}/send', {
    summary: 'A page that posts a message to the identity provider of a company (HTTP-POST), and has a button for it',
    access: 'public',
    session: false,
    params: samlConfigParams,
    query: z.object({ ticket: ifReadable(100) }),
    answer: 'html',
  }),
  metadata: route('GET /saml/{id}/metadata', {
    summary: 'What the identity provider of a company has to know of this portal: SAML metadata, as XML',
    access: 'public',
    session: false,
    params: samlConfigParams,
    // `true`: signed, and good for two weeks, for federations that read it by themselves.
    query: z.object({ signed: ifReadable(10) }),
    answer: 'html',
  }),
}
