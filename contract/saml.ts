import * as z from 'zod/mini'
import { text } from './fields.ts'
import { route } from './route.ts'

/** Names an interaction of the OpenID Provider. Any other text is one that is over: it leads to a fresh sign-in. */
const uid = z.strictObject({ uid: text(200) })

/** Names a SAML configuration: a positive integer of 32 bits, as PostgreSQL has them; nothing else names anything. */
const samlConfigId = z.strictObject({
  id: z.string().check(
    z.regex(/^[1-9][0-9]{0,9}$/),
    z.refine((id) => Number(id) < 2 ** 31),
  ),
})

// Browsers land here by redirects and by other people's pages: what cannot be understood is told on the sign-in page.
const ifReadable = (max: number) => z.catch(z.optional(text(max)), undefined)

/** Sign-in at the company's own identity provider (SAML 2.0): there and back again. */
export const saml = {
  begin: route('GET /interaction/{uid}/saml', {
    summary:
      'Sends the browser on to the sign-in of the company that this address belongs to; the request is good once',
    access: 'public',
    session: false,
    params: uid,
    query: z.object({ email: ifReadable(1000) }),
    answer: 'redirect',
  }),
  answer: route('POST /saml/{id}/acs', {
    summary:
      "Takes the answer of a company's identity provider (assertion consumer service); posted by its page, from another site and without a cookie",
    access: 'public',
    session: false,
    params: samlConfigId,
    body: 'form',
    bodyLimit: 256 * 1024,
    // Identity providers send along what they like, such as the name of a button.
    input: z.object({ SAMLResponse: ifReadable(256 * 1024), RelayState: ifReadable(80) }),
    answer: 'redirect',
    audit: { atMost: ['loginFailure'] },
    atomic: false,
  }),
  complete: route('GET /interaction/{uid}/saml/complete', {
    summary: 'Completes a sign-in in the browser that began it: uses up what the answer left',
    access: 'public',
    params: uid,
    query: z.object({ ticket: ifReadable(100) }),
    answer: 'redirect',
    audit: { atMost: ['loginSuccess', 'loginFailure'] },
    atomic: false,
  }),
  metadata: route('GET /saml/{id}/metadata', {
    summary: 'What the identity provider of a company has to know of this portal: SAML metadata, as XML',
    access: 'public',
    session: false,
    params: samlConfigId,
    answer: 'html',
  }),
}
