import { Problem } from './problem.ts'

/**
 * Refuses a change that was made on an older state. Call it on a row that is locked.
 *
 * @throws Problem 409 `changedByOthers`
 */
export function checkVersion(row: { version: number }, version: number | undefined): void {
  if (version !== undefined && version !== row.version) throw new Problem(409, 'changedByOthers')
}
