import type { FastifyError } from 'fastify'
import { Problem } from '../../problem.ts'

/** What a failure is for the one who asked: 500 for anything that is not the request's fault. */
export function asProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  const { statusCode = 500 } = error
  switch (statusCode) {
    case 413:
      return new Problem(413, 'tooLarge')
    case 415:
      return new Problem(415, 'unsupportedType')
    // A file outside the folder or an overlong parameter: not found.
    case 403:
    case 404:
    case 414:
      return new Problem(404, 'notFound')
    default:
      return statusCode >= 400 && statusCode < 500
        ? new Problem(statusCode, 'malformedRequest')
        : new Problem(500, 'genericErrorMessage')
  }
}
