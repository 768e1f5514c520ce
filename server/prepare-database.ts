import pg from 'pg'
import type { Config } from '#server/config.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { DatabaseStartError } from './embedded-postgres/location.ts'
import { connectionTo } from './platform/database/connect.ts'
import { migrate } from './platform/database/migrate.ts'
import { sessionSettings } from './platform/database/session-settings.ts'
import { encodings } from './platform/password-in-address.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** The database, running and migrated. */
export interface PreparedDatabase {
  /** The connection address of the server. */
  appUrl: string
  /** The role to assume after connecting, if that address belongs to the owner of the tables. */
  appRole: string | undefined
  /** A pooler in transaction mode, for requests. */
  poolerUrl?: string | undefined
  /** The address of the owner of the tables, for admin commands. */
  ownerUrl: string
  /** Releases the embedded database. Does nothing for an external one. */
  stop(): Promise<void>
}

/**
 * Starts or connects to the configured database and migrates it to this version. Waits up to a minute for one that does not
 * answer yet or is busy.
 *
 * @param say prints progress for the operator, one line each
 * @param stopping ends the waiting for a database that is away
 * @throws DatabaseStartError or MigrationError, with one line for the operator
 */
export const prepareDatabase = (
  config: Config,
  say: (line: string) => void,
  stopping?: AbortSignal,
): Promise<PreparedDatabase> =>
  // The embedded one is never left half started.
  waitForDatabase(() => prepareOnce(config, say), { config, say, stopping: config.databaseUrl ? stopping : undefined })

async function prepareOnce(config: Config, say: (line: string) => void): Promise<PreparedDatabase> {
  if (config.databaseUrl) {
    const database = await prepareOwnDatabase(config, config.databaseUrl.reveal(), say)
    const poolerUrl = config.databasePoolerUrl?.reveal()
    if (poolerUrl) await checkPooler(poolerUrl, database)
    return { ...database, poolerUrl }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say })
  try {
    const toBeginAgain = `for the demo, delete ${config.dataDir} and start again`
    await migrate({ ownerUrl: embedded.ownerUrl, appRole: 'vestibule_app', toBeginAgain, say })
    return { appUrl: embedded.appUrl, appRole: undefined, ownerUrl: embedded.ownerUrl, stop: embedded.stop }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function prepareOwnDatabase(
  { databaseOwnerUrl }: Config,
  appUrl: string,
  say: (line: string) => void,
): Promise<PreparedDatabase> {
  const stop = async () => {}
  const server = await reach(appUrl, 'DATABASE_URL')
  if (databaseOwnerUrl) {
    const ownerUrl = databaseOwnerUrl.reveal()
    const owner = await reach(ownerUrl, 'DATABASE_OWNER_URL')
    if (server.superuser || server.name === owner.name) {
      say(`Warning: ${server.name} in DATABASE_URL can change the audit log; give it no rights of its own.`)
    }
    await migrate({ ownerUrl, appRole: server.name, say })
    return { appUrl, appRole: undefined, ownerUrl, stop }
  }
  const { appRole } = await migrate({ ownerUrl: appUrl, say })
  if (!appRole) {
    say(
      'Warning: the database user may not create a role, so only triggers protect the audit log. ' +
        'Name the owner in DATABASE_OWNER_URL and a lesser user in DATABASE_URL.',
    )
  }
  return { appUrl, appRole, ownerUrl: appUrl, stop }
}

/** A pooler must set what a session otherwise sets for itself. */
async function checkPooler(url: string, { appUrl, appRole }: PreparedDatabase): Promise<void> {
  const client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  const explain = (reason: string) => new DatabaseStartError(`DATABASE_POOLER_URL: ${reason}`)
  try {
    await client.connect()
    const { rows } = await client.query(`select current_user as role,
      '0' not in (current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')) as limited`)
    const { rows: others } = await client.query<{ name: string }>(
      // By their ends: the default `"$user", public` is a right search path, and Etc/UTC is UTC.
      `select name from jsonb_each_text($1) as wanted (name, value)
       where replace(current_setting(name), ' ', '') not ilike '%' || replace(value, ' ', '') and name <> 'random_page_cost'`,
      [JSON.stringify(sessionSettings)],
    )
    const role = appRole ?? (await reach(appUrl, 'DATABASE_URL')).name
    if (rows[0].role !== role) throw explain(`the pooler must log in as ${role}, and not as ${rows[0].role}`)
    if (!rows[0].limited)
      throw explain('the pooler must set time-outs by connect_query (docs/operations.md, PgBouncer)')
    if (others.length > 0) {
      const names = others.map(({ name }) => name).join(', ')
      throw explain(`the pooler must set ${names} by connect_query (docs/operations.md, PgBouncer)`)
    }
  } catch (error) {
    throw error instanceof DatabaseStartError ? error : explain(`cannot be reached: ${(error as Error).message}`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Who the address logs in as. */
async function reach(url: string, setting: string): Promise<{ name: string; superuser: boolean }> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query(
      'select rolname as name, rolsuper as superuser from pg_roles where rolname = current_user',
    )
    return rows[0]
  } catch (cause) {
    const { code, message } = cause as Error & { code?: string }
    const advice = adviceOn(code)
    throw new DatabaseStartError(
      `${setting}: the database cannot be reached: ${message || code}${advice && ` (${advice})`}`,
      { cause },
    )
  } finally {
    await client?.end().catch(() => {})
  }
}

/** What to change in the address. */
function adviceOn(code = ''): string {
  if (['28P01', '28000'].includes(code)) return encodings
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|DEPTH_ZERO/.test(code))
    return 'sslrootcert=<file> in the address names a private certificate authority'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the address must have the host name of the certificate'
  return ''
}
