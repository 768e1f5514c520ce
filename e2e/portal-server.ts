import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

const root = join(import.meta.dirname, '..')
const patience = 60_000

export interface PortalServer {
  url: string
  /** Its data folder, for tests that change dates in the database. */
  folder: string
  stop: () => Promise<void>
}

/**
 * Starts the portal as in production, with demo users: built files, its own port, a new database.
 *
 * @param shared the data folder of a portal whose database this one shares
 */
export async function startPortal(settings: Record<string, string> = {}, shared?: string): Promise<PortalServer> {
  if (!existsSync(join(root, 'dist/web/app.html'))) throw new Error('dist/web is missing: run npm run build:web')
  const folder = shared ?? (await mkdtemp(join(tmpdir(), 'vestibule-e2e-')))
  const port = Number(settings.PORT ?? (await freePort()))
  const url = `http://localhost:${port}`
  const server = spawn(join(root, 'node_modules/.bin/node'), ['server/main.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: folder,
      COMPANY_NAME: 'Portalbolaget',
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
      // All tests share one address and a few sessions, so the limits are higher.
      // Every journey is a new browser.
      NEW_BROWSER_MAIL: 'off',
      LIMIT_AUTH_TYPE: '1000/60',
      LIMIT_BEGUN_SIGN_IN: '1000/60',
      LIMIT_ADDRESS_FAILURES: '1000/300',
      LIMIT_API: '5000/60',
      LIMIT_TOKEN_LOOKUP: '1000/60',
      LIMIT_BANKID_START: '1000/60',
      LIMIT_RESET_REQUEST: '1000/3600',
      LIMIT_INVITATION: '1000/3600',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const database = join(folder, 'postgres')
  const own = shared === undefined ? { cluster: join(database, 'cluster'), folders: [database, folder] } : {}
  const cleared = cleanUpOnExit({ pid: server.pid, ...own })
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))

  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    cleared()
    if (shared !== undefined) return
    // When running as root, the database is elsewhere, and the folder contains a link to it.
    const cluster = await realpath(database).catch(() => undefined)
    for (const place of [cluster, folder]) if (place) await rm(place, { recursive: true, force: true })
  }
  const ready = await Promise.race([answers(`${url}/health/ready`), ended.then(() => false)])
  if (!ready) {
    await stop()
    throw new Error('the portal did not start; its own message stands above')
  }
  return { url, folder, stop }
}

async function answers(address: string): Promise<boolean> {
  for (const since = Date.now(); Date.now() - since < patience; await wait(100)) {
    const response = await fetch(address).catch(() => undefined)
    if (response?.ok) return true
  }
  return false
}
