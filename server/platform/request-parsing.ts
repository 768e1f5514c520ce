import * as z from 'zod/mini'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import { Problem } from './problem.ts'

const nothing = z.strictObject({})
// Enough to mend a form; a body of nothing but wrong fields is not answered at length.
const maxIssues = 50

/**
 * The value as its schema says, or the fields that are wrong. Without a schema nothing may be sent.
 *
 * @throws Problem 422 `validationFailed` with an issue per field; 404 for a path whose identifier can name nothing
 */
export function parse(schema: z.ZodMiniType | undefined, value: unknown = {}, status: 404 | 422): unknown {
  const result = z.safeParse(schema ?? nothing, value)
  if (result.success) return schema ? result.data : undefined
  if (status === 404) throw new Problem(404, 'notFound')
  const issues = result.error.issues.flatMap((issue) => asIssues(issue, value)).slice(0, maxIssues)
  throw new Problem(422, 'validationFailed', { issues })
}

function asIssues(issue: z.core.$ZodIssue, value: unknown): Issue[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: path ? `${path}.${key}` : key,
      message: 'unknownField' satisfies MessageKey,
    }))
  return [{ path, message: messageOf(issue, value) }]
}

// Schemas name their own messages; what zod words by itself is named here. A field that is not there is just missing,
// whatever its schema says of a wrong type.
function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code.startsWith('invalid_') && valueAt(value, issue.path) === undefined)
    return 'required' satisfies MessageKey
  return /^[a-z][A-Za-z]+$/.test(issue.message) ? issue.message : ('invalidValue' satisfies MessageKey)
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
