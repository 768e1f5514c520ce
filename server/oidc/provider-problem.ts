import { errors, Provider } from 'oidc-provider'
import { translateDatabaseError } from '#server/platform/database-problems.ts'
import { Problem } from '#server/platform/problem.ts'

/** A Problem in the provider's language: its handlers answer it with its status, as JSON or as a page. */
export class ProviderProblem extends errors.OIDCProviderError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.status, problem.status === 503 ? 'temporarily_unavailable' : 'invalid_request', { cause: problem })
    this.name = 'ProviderProblem'
    this.problem = problem
    this.error_description = 'the provider cannot answer at the moment'
    // The provider hides everything from 500 on, and would send a browser back to the service to fail again there.
    this.expose = true
    this.allow_redirect = false
  }
}

/** Runs a statement for the provider; a database that cannot be asked becomes its 503. */
export async function asked<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work.catch(translateDatabaseError)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.retryAfter) Provider.ctx?.set('retry-after', String(error.retryAfter))
    throw new ProviderProblem(error)
  }
}
