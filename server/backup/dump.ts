import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { connectionTo } from '#server/platform/database/connect.ts'
import { sessionOptions } from '#server/platform/database/session-settings.ts'
import type { Manifest } from './manifest.ts'
import { listTables, sortByReference } from './tables.ts'

/**
 * All rows as of one moment, while the portal goes on: the manifest as a line of JSON, then each table as in a dump of
 * PostgreSQL: a line `COPY … FROM stdin;`, its rows, and a line `\.`.
 */
export async function* dump(ownerUrl: string, manifest: Manifest): AsyncGenerator<Buffer> {
  const client = new pg.Client({
    ...connectionTo(ownerUrl),
    options: sessionOptions(),
    application_name: 'vestibule backup',
  })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    yield Buffer.from(`${JSON.stringify(manifest)}\n`)
    for (const { name, columns } of sortByReference(await listTables(client))) {
      yield Buffer.from(`COPY ${name} (${columns}) FROM stdin;\n`)
      // Of a partitioned table only a query can be copied.
      yield* client.query(copyTo(`copy (select ${columns} from ${name}) to stdout`))
      yield Buffer.from('\\.\n')
    }
  } finally {
    await client.end()
  }
}
