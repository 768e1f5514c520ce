import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { samlConfigParams } from '#contract/saml-configs/saml-configs.ts'

// As other sites send it: what cannot be read is refused like what is missing.
const ifReadable = z.catch(z.optional(text(100_000)), undefined)

const message = z.object({ SAMLRequest: ifReadable, SAMLResponse: ifReadable, RelayState: ifReadable })

/** Single logout of SAML 2.0, by redirects and forms of the browser. */
export const samlSignOut = {
  receive: route('GET /saml/{id}/slo', {
    summary:
      "Takes a signed sign-out of a company's identity provider, which ends the sessions that it names, or its answer to ours",
    access: 'public',
    freshProof: 'not needed: the company has signed it',
    session: false,
    params: samlConfigParams,
    query: message,
    answer: 'redirect',
    audit: { many: 'logout' },
    atomic: false,
  }),
  receivePosted: route('POST /saml/{id}/slo', {
    summary: 'The same, posted by a page of the identity provider',
    access: 'public',
    freshProof: 'not needed: the company has signed it',
    session: false,
    params: samlConfigParams,
    body: 'form',
    bodyLimit: 64 * 1024,
    input: message,
    answer: 'redirect',
    audit: { many: 'logout' },
    atomic: false,
  }),
}
