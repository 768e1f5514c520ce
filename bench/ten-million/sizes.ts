import pg from 'pg'
import type { Row } from './report.ts'

const shown = 8
const gigabytes = (bytes: number) => (bytes / 2 ** 30).toFixed(bytes < 2 ** 30 ? 2 : 1)

/** How much the database, its largest tables and their indexes take. The months of the audit log count as one table. */
export async function measureSizes(databaseUrl: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: whole } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database()) as bytes',
    )
    const { rows: tables } = await client.query<{ name: string; rows: string; bytes: string; indexes: string }>(
      `select regexp_replace(relname, '_[0-9]{4}_[0-9]{2}$', '') as name, sum(greatest(reltuples, 0)) as rows,
         sum(pg_table_size(oid)) as bytes, sum(pg_indexes_size(oid)) as indexes
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       group by 1 order by sum(pg_total_relation_size(oid)) desc limit ${shown}`,
    )
    return [
      { name: 'database, GB', value: gigabytes(Number(whole[0]?.bytes)) },
      ...tables.map(({ name, rows, bytes, indexes }) => ({
        name: `${name}: rows; GB, indexes`,
        value: `${Number(rows).toLocaleString('en')}; ${gigabytes(Number(bytes))}, ${gigabytes(Number(indexes))}`,
      })),
    ]
  } finally {
    await client.end()
  }
}
