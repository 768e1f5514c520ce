import { ApiProblem } from '#web/lib/requests/api-problem.ts'

/** A part of its own, which none of the other pages of this entry need. @throws ApiProblem when it cannot be fetched */
export const loadPart = <Part>(part: Promise<Part>): Promise<Part> =>
  part.catch(() => {
    throw new ApiProblem(0, 'networkError')
  })
