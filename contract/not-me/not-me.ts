import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** Days for which the button "This was not me" in a mail works. */
export const notMeDays = 30

const params = z.strictObject({ token: text(1000) })
// Allow the query parameters that mail programs add to links.
const query = z.object({})

/** The button "This was not me" in a mail. A form, because mail scanners open links. */
export const notMe = {
  page: route('GET /not-me/{token}', {
    summary: 'Asks whether somebody else used the account; opening it changes nothing',
    access: 'public',
    session: false,
    params,
    query,
    answer: 'html',
  }),
  lock: route('POST /not-me/{token}', {
    summary:
      'Ends every session of the account and locks its sign-in until the password is reset; a used link does nothing more',
    access: 'public',
    freshProof: 'not needed: it takes the mailed link, and opens nothing',
    session: false,
    limit: 'tokenLookup',
    params,
    body: 'form',
    input: z.strictObject({}),
    answer: 'redirect',
    audit: { atMost: ['lockSignIn'] },
    atomic: false,
  }),
  done: route('GET /not-me', {
    summary: 'What to do after the account was locked',
    access: 'public',
    session: false,
    query,
    answer: 'html',
  }),
}
