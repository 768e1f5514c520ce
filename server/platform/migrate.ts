import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { grantRights, rightsVersion, separateRole } from './database-rights.ts'
import { installQueues, queuesVersion } from './install-queues.ts'

/** Why the database cannot be brought to this version, in one line for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

interface Options {
  /** The database as its owner. */
  ownerUrl: string
  /** The role that serves; none: one is made where the owner may, see `separateRole`. */
  appRole?: string | undefined
  directory?: string
  say: (line: string) => void
}

interface Migration {
  number: number
  name: string
  sql: string
  sha256: string
}

/** Where this version's migrations are. */
export const migrationsFolder = join(import.meta.dirname, '..', 'migrations')

// Two processes that start at once take turns.
const migrationLock = 1_986_622_069

/**
 * Brings the database to this version: the migrations that are new, the queue's tables, the rights of the serving
 * role. Costs one query when nothing is to do; any number of processes may call it at once.
 *
 * @returns the role that the pool takes on after connecting, where the owner's address serves too
 * @throws MigrationError when the database and this version do not fit
 */
export async function migrate({
  ownerUrl,
  appRole,
  directory,
  say,
}: Options): Promise<{ appRole: string | undefined }> {
  const migrations = readMigrations(directory ?? migrationsFolder)
  const version = createHash('sha256')
    .update(JSON.stringify([migrations.map(({ sha256 }) => sha256), queuesVersion(), rightsVersion]))
    .digest('hex')
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'vestibule migrations' })
  client.on('notice', () => {})
  await client.connect()
  try {
    const before = await readState(client)
    if (before?.version === version && (appRole ?? before.role) === before.role) return { appRole: before.role }
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await checkServer(client)
    await applyMigrations(client, migrations, say)
    await installQueues(client)
    const role = appRole ?? (await separateRole(client))
    if (role) await grantRights(client, role)
    await writeState(client, { version, role })
    return { appRole: role }
  } catch (error) {
    throw explained(error)
  } finally {
    await client.end()
  }
}

/** The files, in order: 1, 2, 3 without a gap. */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const number = index + 1
    if (!name.startsWith(`${String(number).padStart(4, '0')}-`)) {
      throw new MigrationError(`the migrations must be numbered without a gap: ${name} stands in place ${number}`)
    }
    // The same hash on a machine that checks out with other line ends.
    const sql = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
  })
}

async function applyMigrations(client: pg.Client, migrations: Migration[], say: (line: string) => void): Promise<void> {
  await client.query(`create table if not exists migrations (
    number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Migration>('select number, name, sha256 from migrations order by number')
  for (const [index, applied] of rows.entries()) {
    const file = migrations[index]
    if (!file) throw new MigrationError(`the database is newer than this version: it knows ${applied.name}`)
    if (applied.number !== file.number) throw new MigrationError(`the database lacks ${file.name} but has later ones`)
    if (applied.name !== file.name || applied.sha256 !== file.sha256) {
      throw new MigrationError(`${file.name} differs from ${applied.name} that the database was made with`)
    }
  }
  const due = migrations.slice(rows.length)
  if (due.length > 0) say(`Applying ${due.length} database migration${due.length > 1 ? 's' : ''} ...`)
  for (const { number, name, sql, sha256 } of due) {
    try {
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [number, name, sha256])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new MigrationError(`${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::integer as number,
    current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    exists (select from pg_collation where collname = 'sv-x-icu') as swedish`)
  const [{ number, version, encoding, swedish }] = rows
  if (number < 150_000) throw new MigrationError(`PostgreSQL 15 or later is needed, and this is ${version}`)
  if (encoding !== 'UTF8') throw new MigrationError(`the database must be encoded in UTF8, and this is ${encoding}`)
  if (!swedish)
    throw new MigrationError('this PostgreSQL was built without ICU: it cannot sort by the Swedish alphabet')
}

// Kept as the comment of the table, so that one query tells that nothing is to do.
async function readState(client: pg.Client): Promise<{ version: string; role: string | undefined } | undefined> {
  const { rows } = await client.query(`select obj_description(to_regclass('migrations'), 'pg_class') as state`)
  const [version, role] = String(rows[0].state ?? '').split(' ')
  if (!version) return undefined
  if (!role) return { version, role: undefined }
  // A dump brings the tables to another server without the role.
  const { rowCount } = await client.query(
    `select from pg_roles where rolname = $1 and has_table_privilege(oid, 'migrations', 'select')`,
    [role],
  )
  return rowCount === 1 ? { version, role } : undefined
}

async function writeState(client: pg.Client, { version, role }: { version: string; role: string | undefined }) {
  await client.query(`comment on table migrations is ${client.escapeLiteral(role ? `${version} ${role}` : version)}`)
}

function explained(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code === '42501') {
    return new MigrationError(
      `the database user must own the database, or be named in DATABASE_OWNER_URL: ${error.message}`,
    )
  }
  return error
}
