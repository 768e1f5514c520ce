import * as z from 'zod/mini'

/** What is wrong with one field: where it is, and the key of the text that says so. */
export const issue = z.object({ path: z.string(), message: z.string() })
export type Issue = z.infer<typeof issue>

/** The body of every failed call (product.md, section 2). `message` is a key of the texts. */
export const problem = z.object({
  message: z.string(),
  issues: z.optional(z.array(issue)),
  requestId: z.string(),
})
export type ProblemBody = z.infer<typeof problem>
