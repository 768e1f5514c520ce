import type pg from 'pg'
import { queueSchema } from '#server/platform/database/queues.ts'

/** A table and the columns that a backup contains. */
export interface Table {
  /** Quoted, with its schema. */
  name: string
  /** Quoted, separated by commas; without generated ones. */
  columns: string
  /** The names of tables that rows of this one refer to. */
  refersTo: string[]
}

/**
 * Tables of the portal and its queue; a partitioned one counts as one. Not those that say which version made the tables:
 * a migration fills them.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.oid::regclass::text as name,
       (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       array(select confrelid::regclass::text from pg_constraint
         where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as "refersTo"
     from pg_class c
     where relnamespace in ('public'::regnamespace, $1::regnamespace) and relkind in ('r', 'p') and not relispartition
       and c.oid not in ('public.migrations'::regclass, ($1 || '.version')::regclass)
     order by 1`,
    [queueSchema],
  )
  return rows
}

/** In an order in which rows come after those that they refer to. */
export function sortByReference(tables: Table[]): Table[] {
  const sorted: Table[] = []
  let rest = tables
  while (rest.length > 0) {
    const names = new Set(rest.map(({ name }) => name))
    const ready = rest.filter(({ refersTo }) => !refersTo.some((name) => names.has(name)))
    if (ready.length === 0) throw new Error(`circular references: ${[...names].join(', ')}`)
    sorted.push(...ready)
    rest = rest.filter((table) => !ready.includes(table))
  }
  return sorted
}
