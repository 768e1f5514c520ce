import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ensurePostgresAccount } from '#server/embedded-postgres/location.ts'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

/** A PgBouncer of Debian's that pools transactions in front of one database. */
export interface Pooler {
  /** As in docs/operations.md. */
  url: string
  /** The same without what docs/operations.md has it set. */
  bareUrl: string
  stop(): Promise<void>
}

export const isPoolerInstalled = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0

/** Shares three connections among all. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-pooler-'))
  const listen = await freePort()
  const target = `host=${host} port=${port} dbname=${database} user=${user} password='${password}'`
  const settings =
    'set statement_timeout to 5000; set idle_in_transaction_session_timeout to 30000; set timezone to utc; set datestyle to iso; set search_path to public; set random_page_cost to 1.1'
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
portal = ${target} connect_query='${settings}'
bare = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  )
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? ensurePostgresAccount(() => {}) : undefined
  if (account) for (const path of [folder, file]) chownSync(path, account.uid, account.gid)
  const child = spawn('pgbouncer', ['-q', file], { ...account, stdio: 'ignore' })
  const cleared = cleanUpOnExit({ pid: child.pid, folders: [folder] })
  const ended = once(child, 'close')
  const urlOf = (name: string) => `postgres://anyone@127.0.0.1:${listen}/${name}`
  return {
    url: urlOf('portal'),
    bareUrl: urlOf('bare'),
    async stop() {
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
      cleared()
    },
  }
}
