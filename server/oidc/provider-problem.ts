import { errors, Provider } from 'oidc-provider'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import { Problem } from '#server/platform/problem.ts'

/** Wraps a Problem as a provider error, which it sends with its status, as JSON or as a page. */
export class ProviderProblem extends errors.OIDCProviderError {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.status, problem.status === 503 ? 'temporarily_unavailable' : 'invalid_request', { cause: problem })
    this.name = 'ProviderProblem'
    this.problem = problem
    this.error_description = 'the provider cannot answer at the moment'
    // By default the provider hides errors from 500 on, and would redirect the browser back to the service.
    this.expose = true
    this.allow_redirect = false
  }
}

/** Runs a query for the provider; a database failure becomes a provider error with 503. */
export async function runForProvider<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work.catch(translateDatabaseError)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.retryAfter) Provider.ctx?.set('retry-after', String(error.retryAfter))
    throw new ProviderProblem(error)
  }
}
