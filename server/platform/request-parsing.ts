import * as z from 'zod/mini'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import { Problem } from './problem.ts'

const nothing = z.undefined()

/**
 * The value as its schema says, or the fields that are wrong.
 *
 * @throws Problem 422 `validationFailed` with an issue per field; 404 for a path whose identifier can name nothing
 */
export function parse(schema: z.ZodMiniType | undefined, value: unknown, status: 404 | 422): unknown {
  // A call without parameters gets the framework's empty object.
  if (!schema && status === 404) return undefined
  const result = z.safeParse(schema ?? nothing, schema && value === undefined ? {} : value)
  if (result.success) return result.data
  if (status === 404) throw new Problem(404, 'notFound')
  throw new Problem(422, 'validationFailed', { issues: result.error.issues.flatMap(asIssues) })
}

function asIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: path ? `${path}.${key}` : key,
      message: 'unknownField' satisfies MessageKey,
    }))
  return [{ path, message: messageOf(issue) }]
}

// Schemas name their own messages; what zod words by itself (a wrong type, a missing field) is named here.
function messageOf(issue: z.core.$ZodIssue): string {
  if (/^[a-z][A-Za-z]+$/.test(issue.message)) return issue.message
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  return missing ? 'required' : ('invalidValue' satisfies MessageKey)
}
