import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'

/** The connection of a transaction as the driver has it: columns keep their names. */
export function plainClient(connection: Db): Pick<pg.ClientBase, 'query'> {
  const plain = connection.withoutPlugins()
  const query = (text: string, values: unknown[] = []) => plain.executeQuery(CompiledQuery.raw(text, values))
  return { query } as unknown as Pick<pg.ClientBase, 'query'>
}
