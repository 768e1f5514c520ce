import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { verifyCredentials } from '../frame/calls.ts'

/** Whether the password is the whole proof. The owner of the account may have chosen a second step, which only the password shows. */
export const isProvenBy = (credentials: Parameters<typeof verifyCredentials>[0]) =>
  verifyCredentials(credentials).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiProblem && error.message === 'secondStepNeeded') return false
      throw error
    },
  )
