import * as z from 'zod/mini'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import { Problem } from '../problem.ts'

const nothing = z.strictObject({})
// Enough to correct a form; limits the response to a body with thousands of wrong fields.
const maxIssues = 50

/**
 * Parses a value with its schema. Without a schema the value must be empty.
 *
 * @throws Problem 422 or 400 `validationFailed` with an issue per field; 404 for path parameters with an invalid identifier
 */
export function parseInput(schema: z.ZodMiniType | undefined, value: unknown = {}, status: 400 | 404 | 422): unknown {
  const result = z.safeParse(schema ?? nothing, value)
  if (result.success) return schema ? result.data : undefined
  if (status === 404) throw new Problem(404, 'notFound')
  const issues = result.error.issues
    .slice(0, maxIssues)
    .flatMap((issue) => asIssues(issue, value))
    .slice(0, maxIssues)
  throw new Problem(status, 'validationFailed', { issues })
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

// Maps zod's own messages to ours; messages set in schemas are already keys. A missing field is `required`, whatever its
// schema says about a wrong type.
function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code.startsWith('invalid_') && valueAt(value, issue.path) === undefined)
    return 'required' satisfies MessageKey
  return /^[a-z][A-Za-z]+$/.test(issue.message) ? issue.message : ('invalidValue' satisfies MessageKey)
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
