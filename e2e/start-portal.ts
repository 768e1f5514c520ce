import { startPortal } from './portal-server.ts'

/** One portal for the whole run, in E2E_URL and E2E_DATA_DIR; uses a portal that runs there already. */
export default async function start(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_URL) return undefined
  const portal = await startPortal()
  process.env.E2E_URL = portal.url
  process.env.E2E_DATA_DIR = portal.folder
  return portal.stop
}
