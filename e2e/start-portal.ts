import { type PortalServer, startPortal } from './portal-server.ts'
import { startNodes } from './start-nodes.ts'

/**
 * One portal for the whole run, in E2E_URL and E2E_DATA_DIR; uses a portal that runs there already. E2E_NODES=3 makes it
 * three nodes behind HAProxy.
 */
export default async function start(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_URL) return undefined
  const nodes = Number(process.env.E2E_NODES ?? 1)
  const portal: PortalServer = nodes > 1 ? await startNodes(nodes) : await startPortal()
  process.env.E2E_URL = portal.url
  process.env.E2E_DATA_DIR = portal.folder
  return portal.stop
}
