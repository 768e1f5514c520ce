import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { Problem } from '../problem.ts'

/** Fields of a change that are left out stay. */
export type Change<Row> = { [Name in keyof Row]?: Row[Name] | undefined }

/** What a row has of a form's fields. */
export const pickFields = <Shape extends z.core.$ZodLooseShape, Row extends object>(
  form: { shape: Shape },
  row: Row,
): Pick<Row, Extract<keyof Row, keyof Shape>> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in form.shape)) as Pick<
    Row,
    Extract<keyof Row, keyof Shape>
  >

/** The row as it is after the change, whatever its fields are. */
export const merged = <Row extends object>(row: Row, change: Change<Row>): Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})

/**
 * The rows of a list as they are after a change that brings the whole list: what a row of the change leaves out stays, or is that of
 * `fresh` where the list had no row with that key. Rows that the change lacks are not in the result.
 */
export function mergedRows<Row extends object>(
  present: readonly Row[],
  sent: readonly Change<Row>[],
  { key, fresh = {} }: { key: keyof Row; fresh?: Partial<Row> },
): Row[] {
  const rows = new Map(present.map((row) => [row[key], row]))
  return sent.map((change) => merged(rows.get(change[key] as Row[typeof key]) ?? (fresh as Row), change))
}

/** Does the form say what the row has already? */
export const isUnchanged = <Form extends object>(row: Form, form: Form): boolean =>
  Object.entries(form).every(([name, value]) => isDeepStrictEqual(row[name as keyof Form], value))

/**
 * Rejects a change that is based on an older version (optimistic locking). Call it with a locked row.
 *
 * @throws Problem 409 `changedByOthers`
 */
export function checkVersion(row: { version: number }, version: number | undefined): void {
  if (version !== undefined && version !== row.version) throw new Problem(409, 'changedByOthers')
}
