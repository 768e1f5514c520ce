import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'

interface ProblemDetails {
  issues?: readonly Issue[]
  retryAfter?: number | undefined
  /** Path on this origin where the browser can retry; the page of a 503 links to it. */
  again?: string | undefined
  /** For the log alone. */
  cause?: unknown
}

/**
 * An expected failure, sent as `{message, issues?, requestId}` with its status. Any other error is a bug and is sent as a
 * 500 that does not reveal its cause.
 */
export class Problem extends Error {
  readonly status: number
  readonly key: MessageKey
  readonly issues: readonly Issue[] | undefined
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Path on this origin where the browser can retry. */
  readonly again: string | undefined

  constructor(status: number, key: MessageKey, more: ProblemDetails = {}) {
    super(key, { cause: more.cause })
    this.name = 'Problem'
    this.status = status
    this.key = key
    this.issues = more.issues
    this.retryAfter = more.retryAfter
    this.again = more.again
  }
}

/**
 * Returns the value, or fails with 404 when there is none.
 *
 * @throws Problem 404 `notFound`: the same whether it is missing or not visible to this user
 */
export function found<Thing>(thing: Thing | undefined | null): Thing {
  if (thing === undefined || thing === null) throw new Problem(404, 'notFound')
  return thing
}
