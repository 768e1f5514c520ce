import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'

const root = join(import.meta.dirname, '..')
const patience = 60_000

export interface PortalServer {
  url: string
  /** Its data folder, for a journey that lets time pass in the database. */
  folder: string
  stop: () => Promise<void>
}

/** Starts the portal as it is in production but for the demo people: built files, own port, own fresh database. */
export async function startPortal(settings: Record<string, string> = {}): Promise<PortalServer> {
  if (!existsSync(join(root, 'dist/web/app.html'))) throw new Error('dist/web is missing: run npm run build:web')
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-e2e-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = spawn(join(root, 'node_modules/.bin/node'), ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: folder,
      COMPANY_NAME: 'Portalbolaget',
      LOG_LEVEL: 'error',
      // A whole run of journeys comes from one address and a handful of sessions.
      LIMIT_AUTH_TYPE: '1000/60',
      LIMIT_ADDRESS_FAILURES: '1000/300',
      LIMIT_API: '5000/60',
      LIMIT_TOKEN_LOOKUP: '1000/60',
      LIMIT_BANKID_START: '1000/60',
      LIMIT_RESET_REQUEST: '1000/3600',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))

  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    // As root the database lies elsewhere, with a link to it in the folder.
    const cluster = await realpath(join(folder, 'postgres')).catch(() => undefined)
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
