import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { samlConfigParams } from '#contract/saml-configs/saml-configs.ts'

// Other sites lead here: ignore invalid values and show the error on the sign-in page.
const ifReadable = z.catch(z.optional(text(4000)), undefined)

/** Of OpenID Connect Core, 4 (third-party initiated login), where they bear its names. */
const start = z.object({
  /** The issuer: without the right one nothing begins. */
  iss: ifReadable,
  login_hint: ifReadable,
  target_link_uri: ifReadable,
  /** A path of the portal. */
  returnTo: ifReadable,
  /** An answer that nobody asked for, or for another browser, led here. */
  restarted: z.catch(z.optional(z.literal('1')), undefined),
})

/** The address that begins a sign-in at one organisation: for tiles, bookmarks and portals of theirs. */
export const companyLogin = {
  start: route('GET /login/company/{id}', {
    summary: 'Begins a sign-in at the identity provider of this configuration',
    access: 'public',
    params: samlConfigParams,
    query: start,
    answer: 'redirect',
  }),
  startPosted: route('POST /login/company/{id}', {
    summary: 'The same, posted by a page of the identity provider; goes on as a GET',
    access: 'public',
    session: false,
    params: samlConfigParams,
    body: 'form',
    bodyLimit: 16 * 1024,
    input: z.omit(start, { restarted: true }),
    answer: 'redirect',
    audit: 'none',
  }),
}
