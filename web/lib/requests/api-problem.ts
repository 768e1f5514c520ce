import type { MessageKey } from '#contract/message-key.ts'
import type { Issue, ProblemBody } from '#contract/problem.ts'

interface Circumstances {
  issues?: readonly Issue[] | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
}

/** A call that failed. Its message is a key of the texts; status 0 means that no answer came at all. */
export class ApiProblem extends Error {
  readonly status: number
  readonly issues: readonly Issue[]
  /** What support can find in the log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined

  constructor(status: number, key: string, { issues = [], requestId, retryAfter }: Circumstances = {}) {
    super(key)
    this.name = 'ApiProblem'
    this.status = status
    this.issues = issues
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/**
 * Whether the person did not want to prove who they are: every call asks before it fails by this. Nothing has happened, and they
 * know.
 */
export const wasCancelled = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.message === 'freshProofRequired' || error.message === 'codeRequired')

const unknownProblem: MessageKey = 'genericErrorMessage'

/**
 * What a failed answer says; an answer in any other shape is the generic message (product-rules 2.5). Read without the
 * contract's schema, because the sign-in pages load none (decision 0016).
 */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body: Partial<ProblemBody> | null = await response.json().catch(() => null)
  const wait = Number(response.headers.get('retry-after'))
  return new ApiProblem(response.status, textOf(body?.message) ?? unknownProblem, {
    issues: Array.isArray(body?.issues) ? body.issues.filter(isIssue) : [],
    requestId: textOf(body?.requestId) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: wait > 0 ? wait : undefined,
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const isIssue = (issue: Partial<Issue> | null) => typeof issue?.path === 'string' && typeof issue.message === 'string'

/** No answer, or one that is not what the contract says. */
export const brokenCall = (status = 0, requestId?: string | null) =>
  new ApiProblem(status, unknownProblem, { requestId: requestId ?? undefined })
