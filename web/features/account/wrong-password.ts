import type { MessageKey } from '#contract/message-key.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'

/** Shows a wrong password as an error of its field. The form has no email address that could be wrong. */
export function atPassword(error: unknown, path: string): unknown {
  if (!(error instanceof ApiProblem && error.message === 'invalidCredentials')) return error
  const message: MessageKey = 'wrongPassword'
  return new ApiProblem(error.status, message, { issues: [{ path, message }] })
}
