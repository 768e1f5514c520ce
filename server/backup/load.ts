import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connectionTo } from '#server/platform/database/connect.ts'
import { sessionOptions } from '#server/platform/database/session-settings.ts'
import { BackupError } from './backup-file.ts'
import { currentManifest, type Manifest } from './manifest.ts'
import { listTables } from './tables.ts'

/**
 * Loads a backup into a database without accounts, and puts it into quarantine. All or nothing: one transaction, which
 * commits after the end of the content has proven the rest.
 *
 * @returns when and by which version the backup was written, and its rows
 * @throws BackupError when the database is in use or the backup is of another version
 */
export async function loadBackup(
  ownerUrl: string,
  { content, now }: { content: AsyncIterable<Buffer>; now: Date },
): Promise<Manifest & { rows: number }> {
  const client = new pg.Client({
    ...connectionTo(ownerUrl),
    options: sessionOptions(),
    application_name: 'vestibule restore',
  })
  await client.connect()
  try {
    await client.query('begin')
    await requireUnused(client)
    const lines = readLines(content)
    const manifest = await readManifest(lines, now)
    await setTriggers(client, 'disable')
    const tables = new Set((await listTables(client)).map(({ name }) => name))
    await client.query(`truncate ${[...tables].join(', ')}`)
    const rows = await loadTables(client, lines, tables)
    await continueSequences(client)
    await setTriggers(client, 'enable')
    await client.query(
      'insert into installation (quarantined_since) values ($1) on conflict (id) do update set quarantined_since = $1',
      [now],
    )
    await client.query('commit')
    await client.query('analyze')
    return { ...manifest, rows }
  } finally {
    await client.end()
  }
}

async function requireUnused(client: pg.Client): Promise<void> {
  // Waits for nobody: a running portal holds no lock, but it would have made its keys.
  const { rows } = await client.query('select exists (select from users) or exists (select from keys) as used')
  if (rows[0].used)
    throw new BackupError('this database is in use: restore into an empty one, with another DATA_DIR or DATABASE_URL')
}

async function readManifest(lines: AsyncGenerator<Buffer>, now: Date): Promise<Manifest> {
  const { value } = await lines.next()
  const manifest = JSON.parse(String(value)) as Manifest
  if (manifest.tables !== currentManifest(now).tables)
    throw new BackupError(
      `the backup was written by version ${manifest.portal} with other tables: restore it with that version, then start the newer one`,
    )
  return manifest
}

async function loadTables(client: pg.Client, lines: AsyncGenerator<Buffer>, tables: Set<string>): Promise<number> {
  let rows = 0
  for await (const line of lines) {
    const [, name = '', columns] = /^COPY (\S+) \((.+)\) FROM stdin;\n$/.exec(line.toString()) ?? []
    if (!tables.has(name)) throw new BackupError('the backup has a table that this version does not know')
    const target = client.query(copyFrom(`copy ${name} (${columns}) from stdin`))
    const done = finished(target)
    done.catch(() => {})
    // No second `for await`: leaving one would end the lines.
    for (;;) {
      const { value: row, done: isOver } = await lines.next()
      if (isOver) throw new BackupError('the backup is cut off')
      if (row.equals(endOfRows)) break
      rows++
      if (!target.write(row)) await Promise.race([once(target, 'drain'), done])
    }
    target.end()
    await done
  }
  return rows
}

const endOfRows = Buffer.from('\\.\n')

/** Also of the partitions. They would count, and refuse what is old. */
async function setTriggers(client: pg.Client, what: 'disable' | 'enable'): Promise<void> {
  const { rows } = await client.query(
    `select distinct tgrelid::regclass::text as name from pg_trigger join pg_class c on c.oid = tgrelid
     where not tgisinternal and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} ${what} trigger user`)
}

async function continueSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence, attrelid::regclass::text as name,
       quote_ident(attname) as column
     from pg_attribute join pg_class c on c.oid = attrelid
     where attidentity <> '' and relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  for (const { sequence, name, column } of rows)
    await client.query(`select setval($1, coalesce(max(${column}), 0) + 1, false) from ${name}`, [sequence])
}

/** Lines with their ends. */
async function* readLines(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of content) {
    const text = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
      yield text.subarray(start, end + 1)
      start = end + 1
    }
    rest = text.subarray(start)
  }
  if (rest.length > 0) throw new BackupError('the backup is cut off')
}
