import type { MessageKey } from '#contract/message-key.ts'
import { type Issue, problem } from '#contract/problem.ts'

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

const unknownProblem: MessageKey = 'genericErrorMessage'

/** What a failed answer says; an answer in any other shape is the generic message (specification, section 8). */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body = problem.safeParse(await response.json().catch(() => undefined))
  const wait = Number(response.headers.get('retry-after'))
  return new ApiProblem(response.status, body.data?.message ?? unknownProblem, {
    issues: body.data?.issues,
    requestId: body.data?.requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: wait > 0 ? wait : undefined,
  })
}

/** No answer, or one that is not what the contract says. */
export const brokenCall = (status = 0, requestId?: string | null) =>
  new ApiProblem(status, unknownProblem, { requestId: requestId ?? undefined })
