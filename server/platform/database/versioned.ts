import { Problem } from '../problem.ts'

/** Does the form say what the row has already? */
export const isUnchanged = <Form extends object>(row: Form, form: Form): boolean =>
  Object.entries(form).every(([name, value]) => row[name as keyof Form] === value)

/**
 * Rejects a change that is based on an older version (optimistic locking). Call it with a locked row.
 *
 * @throws Problem 409 `changedByOthers`
 */
export function checkVersion(row: { version: number }, version: number | undefined): void {
  if (version !== undefined && version !== row.version) throw new Problem(409, 'changedByOthers')
}
