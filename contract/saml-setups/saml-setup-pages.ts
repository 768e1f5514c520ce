import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** The page behind the link. */
export const setupPages = {
  open: route('GET /saml-setup/{token}', {
    summary: 'The page on which the IT of an organisation sets up its sign-in',
    access: 'public',
    params: z.strictObject({ token: text(1000) }),
    query: z.object({}),
    answer: 'html',
  }),
  openWithoutToken: route('GET /saml-setup', {
    summary: 'The same page after a test sign-in, or for a link that lost its token',
    access: 'public',
    query: z.object({}),
    answer: 'html',
  }),
}
