import { CallFailed } from './calls.ts'

/** A part of its own, which none of the other pages of this entry need. @throws CallFailed when it cannot be fetched */
export const loadPart = <Part>(part: Promise<Part>): Promise<Part> =>
  part.catch(() => {
    throw new CallFailed('networkError')
  })
