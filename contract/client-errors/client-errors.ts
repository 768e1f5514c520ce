import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** A crash of the web app, as reported by the browser. */
export const clientError = z.strictObject({
  url: text(2000),
  error: text(2000),
  stack: z.optional(z.nullable(text(8000))),
  componentStack: z.optional(z.nullable(text(8000))),
})

export const clientErrors = {
  report: route('POST /client-errors', {
    summary: 'A crash of the web app; beyond ten a minute it is answered alike and dropped',
    access: 'public',
    input: clientError,
    answer: 'nothing',
    bodyLimit: 16 * 1024,
    atomic: false,
    audit: 'none',
  }),
}
