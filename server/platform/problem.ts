import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'

interface ProblemDetails {
  issues?: readonly Issue[]
  retryAfter?: number | undefined
  /** Path on this origin where a browser tries once more; the page of a 503 leads there. */
  again?: string | undefined
  /** For the log alone. */
  cause?: unknown
}

/**
 * An expected failure: becomes `{message, issues?, requestId}` with its status. Anything else that is thrown is a bug
 * and becomes a 500 without a word about its cause.
 */
export class Problem extends Error {
  readonly status: number
  readonly key: MessageKey
  readonly issues: readonly Issue[] | undefined
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Path on this origin where a browser tries once more. */
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
 * The thing itself, or the answer for a missing one.
 *
 * @throws Problem 404 `notFound` where there is nothing: the same for what is missing and what is out of sight
 */
export function found<Thing>(thing: Thing | undefined | null): Thing {
  if (thing === undefined || thing === null) throw new Problem(404, 'notFound')
  return thing
}
