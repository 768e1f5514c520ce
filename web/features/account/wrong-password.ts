import type { MessageKey } from '#contract/message-key.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

/** A wrong password of somebody who is signed in is told at its field: there is no address to be wrong here. */
export function atPassword(error: unknown, path: string): unknown {
  if (!(error instanceof ApiProblem && error.message === 'invalidCredentials')) return error
  const message: MessageKey = 'wrongPassword'
  return new ApiProblem(error.status, message, { issues: [{ path, message }] })
}
