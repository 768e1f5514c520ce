import * as z from 'zod/mini'

/** The error of one field: its path, and the text key of the message. `detail` is what the text names. */
export const issue = z.object({ path: z.string(), message: z.string(), detail: z.optional(z.string()) })
export type Issue = z.infer<typeof issue>

/** The body of every failed call (product-rules 2.5). `message` is a key of the texts. */
export const problem = z.object({
  message: z.string(),
  issues: z.optional(z.array(issue)),
  requestId: z.string(),
})
export type ProblemBody = z.infer<typeof problem>
