import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionTo } from './connect.ts'
import { closeFunctions, ensureServingRole, grantPrivileges, privilegesVersion } from './database-privileges.ts'
import { installQueues, readQueuesVersion } from './install-queues.ts'
import { sessionOptions } from './session-settings.ts'

/** Why the migration failed, in one line for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

interface Options {
  /** Connection URL of the database owner. */
  ownerUrl: string
  /** The serving role. Without it one is created if the owner is allowed to; see `ensureServingRole`. */
  appRole?: string | undefined
  directory?: string
  /** What gives the operator an empty database, where this one is too old. */
  toBeginAgain?: string
  say: (line: string) => void
}

interface Migration {
  number: number
  name: string
  sql: string
  sha256: string
}

/** The folder with the migrations. */
export const migrationsFolder = join(import.meta.dirname, '../../migrations')

// Advisory lock: only one process migrates at a time.
const migrationLock = 1_986_622_069

/**
 * Migrates the database: new migrations, the tables of the queue, the privileges of the serving role. Takes one query
 * when there is nothing to do. Several processes may call it at the same time.
 *
 * @returns the role that the pool switches to after connecting, where the owner's URL also serves
 * @throws MigrationError when the database does not match this version
 */
export async function migrate({
  ownerUrl,
  appRole,
  directory,
  toBeginAgain = 'name an empty database in DATABASE_URL',
  say,
}: Options): Promise<{ appRole: string | undefined }> {
  const migrations = readMigrations(directory ?? migrationsFolder)
  const version = createHash('sha256')
    .update(JSON.stringify([migrations.map(({ sha256 }) => sha256), readQueuesVersion(), privilegesVersion]))
    .digest('hex')
  const client = new pg.Client({
    ...connectionTo(ownerUrl),
    options: sessionOptions(),
    application_name: 'vestibule migrations',
  })
  // Warnings of a migration need a decision by the operator.
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING') say(`Warning: ${message}`)
  })
  await client.connect()
  try {
    const before = await readState(client)
    if (before?.version === version && (appRole ?? before.role) === before.role) return { appRole: before.role }
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await checkServer(client)
    await applyMigrations(client, migrations, { toBeginAgain, say })
    await installQueues(client)
    const role = appRole ?? (await ensureServingRole(client))
    if (role) await grantPrivileges(client, role)
    await closeFunctions(client, role)
    await writeState(client, { version, role })
    return { appRole: role }
  } catch (error) {
    throw explained(error)
  } finally {
    await client.end()
  }
}

/** Reads the files in order; their numbers must have no gap. */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const number = index + 1
    if (!name.startsWith(`${String(number).padStart(4, '0')}-`)) {
      throw new MigrationError(`the migrations must be numbered without a gap: ${name} is number ${number}`)
    }
    // Normalised, so that the hash does not depend on the line endings of the checkout.
    const sql = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
  })
}

async function applyMigrations(
  client: pg.Client,
  migrations: Migration[],
  { toBeginAgain, say }: Required<Pick<Options, 'toBeginAgain' | 'say'>>,
): Promise<void> {
  await client.query(`create table if not exists migrations (
    number integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Migration>('select number, name, sha256 from migrations order by number')
  // The first migration is the schema as of the first release; databases of before began with another one, or with what it was then.
  if (rows[0] && (rows[0].name !== migrations[0]?.name || rows[0].sha256 !== migrations[0].sha256)) {
    throw new MigrationError(
      `this database was made by a version before 0.3, of which nothing was released, or ${migrations[0]?.name} was changed: ${toBeginAgain}`,
    )
  }
  for (const [index, applied] of rows.entries()) {
    const file = migrations[index]
    if (!file) throw new MigrationError(`the database is newer than this version: it has ${applied.name}`)
    if (applied.number !== file.number) throw new MigrationError(`the database lacks ${file.name} but has later ones`)
    if (applied.name !== file.name || applied.sha256 !== file.sha256) {
      throw new MigrationError(`${file.name} differs from ${applied.name}, which was applied to this database`)
    }
  }
  const due = migrations.slice(rows.length)
  if (due.length > 0) say(`Applying ${due.length} database migration${due.length > 1 ? 's' : ''} ...`)
  for (const migration of due) await applyWithPatience(client, migration, say)
}

// Who waits for a table makes all others wait who ask for it later. PostgreSQL looks for deadlocks after a second of waiting, and
// would abort a person's request.
const lockTimeoutMs = 400
const patienceMs = 600_000

/** Gives its locks back when it waits too long for one, and tries again. */
async function applyWithPatience(client: pg.Client, migration: Migration, say: (line: string) => void): Promise<void> {
  const since = Date.now()
  for (let run = 1; ; run++) {
    try {
      return await applyMigration(client, migration)
    } catch (error) {
      await client.query('rollback')
      const isLocked = ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')
      if (!isLocked || Date.now() - since > patienceMs) {
        throw new MigrationError(`${migration.name} failed: ${(error as Error).message}`, { cause: error })
      }
      if (run === 1) say(`${migration.name} waits for the transactions of others ...`)
      await wait(200 + Math.random() * 800)
    }
  }
}

async function applyMigration(client: pg.Client, { number, name, sql, sha256 }: Migration): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
  await client.query(sql)
  await client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [number, name, sha256])
  await client.query('commit')
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

// The state is stored as the comment of the table, so that one query shows whether there is anything to do.
async function readState(client: pg.Client): Promise<{ version: string; role: string | undefined } | undefined> {
  const { rows } = await client.query(`select obj_description(to_regclass('migrations'), 'pg_class') as state`)
  // The name of a role may have blanks.
  const [, version, role] = /^(\S+)(?: (.*))?$/s.exec(String(rows[0].state ?? '')) ?? []
  if (!version) return undefined
  if (!role) return { version, role: undefined }
  // The role is missing where a dump was restored on another server.
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
