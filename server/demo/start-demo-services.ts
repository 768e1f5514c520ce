import { findClient } from '#server/oidc/clients/client-rows.ts'
import { readSecret } from '#server/oidc/clients/client-secrets.ts'
import type { System } from '#server/platform/system.ts'
import { startServices } from '../../simulators/services/services.ts'
import { neighbourOrigin } from './demo-neighbours.ts'
import { demoClientAddresses, demoClientId, demoServices } from './demo-services.ts'

/** Starts the demo's services, and registers the port that they got. */
export async function startDemoServices(system: System): Promise<{ close(): Promise<void> }> {
  const { config } = system
  const running = await startServices({
    services: demoServices,
    portal: config.baseUrl,
    originFor: (port) => neighbourOrigin(config, port),
    credentials: (path) => readCredentials(system, demoClientId(path)),
    port: config.demoServicesPort,
    host: config.host,
  })
  await moveTo(system, running.origin)
  return running
}

/** What the portal's operator gave to the service when its client was registered. */
async function readCredentials(system: System, clientId: string) {
  const row = await findClient(system.db, clientId)
  const secret = row && (await readSecret(system, row))
  if (!secret) throw new Error(`${clientId} has no secret`)
  return { clientId, secret }
}

/** Another port than last time: clients redirect there, and the launcher links there. */
async function moveTo({ db }: System, origin: string): Promise<void> {
  const ids = demoServices.map(({ path }) => demoClientId(path))
  const clients = await db
    .selectFrom('clients')
    .innerJoin('services', 'services.serviceId', 'clients.serviceId')
    .select(['clientId', 'services.serviceId', 'redirectUris', 'url'])
    .where('clientId', 'in', ids)
    .execute()
  for (const { clientId, serviceId, redirectUris, url } of clients) {
    const before = URL.parse(redirectUris[0] ?? '')
    if (!before || before.origin === origin) continue
    const home = `${origin}${before.pathname.replace(/callback$/, '')}`
    await db.updateTable('clients').set(demoClientAddresses(home)).where('clientId', '=', clientId).execute()
    // An address that a super user chose instead stays.
    if (url.startsWith(`${before.origin}/`))
      await db
        .updateTable('services')
        .set({ url: origin + url.slice(before.origin.length) })
        .where('serviceId', '=', serviceId)
        .execute()
  }
}
