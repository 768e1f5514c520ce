import type { System } from '#server/platform/system.ts'
import { startDemoIdp } from './demo-idp.ts'
import { startDemoServices } from './start-demo-services.ts'

/** Starts what runs beside the demo's portal: a company's identity provider, and the services. */
export async function startNeighbours(system: System): Promise<{ close(): Promise<void> }> {
  const running = await Promise.all([startDemoIdp(system), startDemoServices(system)])
  return { close: async () => void (await Promise.all(running.map((one) => one.close()))) }
}
