import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHasFreshProof } from './credentials/fresh-proof/fresh-proof.ts'
import { createFindSignInHost, createReadHue } from './features/brands/brands.ts'
import { createReadDirectory } from './features/scim/scim.ts'
import { listCertificates } from './features/system/system.ts'
import { cookieNames, createCookieSigner, readSignedCookie } from './oidc/cookies.ts'
import { type MountedProvider, mountProvider } from './oidc/mount-provider.ts'
import { createReadSession } from './oidc/read-session.ts'
import { createReadMachine } from './oidc/tokens/read-machine.ts'
import { readMigrations } from './platform/database/migrate.ts'
import { createReadinessCheck, type Health, serveHealth } from './platform/http/endpoints/health.ts'
import { serveWellKnown } from './platform/http/endpoints/well-known.ts'
import { createHttpServer } from './platform/http/http-server.ts'
import { readInlineStyleHashes } from './platform/http/inline-styles.ts'
import { serveLocaleFiles } from './platform/http/locale-files.ts'
import { serveMetrics } from './platform/http/observability/metrics.ts'
import { loadPublicPages } from './platform/http/public-pages.ts'
import { serveRoutes } from './platform/http/serve-routes.ts'
import { serveWebFiles, type WebApp } from './platform/http/web-files.ts'
import type { System } from './platform/system.ts'
import { createRecurringJobs } from './recurring-jobs.ts'
import type { AppParts } from './room.ts'
import * as rooms from './rooms.ts'

interface AppOptions extends Pick<AppParts, 'webFolder'>, Partial<Pick<AppParts, 'bankIdClient' | 'phoneApp'>> {}

/** Creates the HTTP app with the calls of every room. Opens no port and starts no background work. */
export async function createApp(
  system: System,
  { webFolder, bankIdClient, phoneApp }: AppOptions,
): Promise<{ app: FastifyInstance; health: Health; provider: MountedProvider }> {
  const { config, pool, log, keys } = system
  const pages = loadPublicPages(webFolder, system)
  const sessionCookie = createCookieSigner(keys)
  const hasSession = (request: FastifyRequest) =>
    readSignedCookie(request, cookieNames(config).session, sessionCookie) !== undefined
  let webApp: WebApp | undefined
  const app = await createHttpServer({
    config,
    logger: log,
    // Someone who is signed in keeps the app's frame: the menu is the way on.
    renderProblemPage: (request, status, key, again) =>
      (status === 404 && hasSession(request) && webApp?.page(request)) ||
      pages.renderProblem(request, status, key, again),
    styles: readInlineStyleHashes(webFolder),
    findSignInHost: createFindSignInHost(system),
  })
  const needed = readMigrations(join(import.meta.dirname, 'migrations')).length
  const health = serveHealth(app, { isReady: createReadinessCheck(pool, needed) })
  if (config.otlpEndpoint)
    (await import('./platform/http/observability/traces.ts')).traceRequests(app, system, config.otlpEndpoint)
  serveMetrics(app, system, () => listCertificates({ ...system, bankid: bankIdClient }))
  serveWellKnown(app, system)
  await serveLocaleFiles(app, join(import.meta.dirname, '../locales'))
  webApp = await serveWebFiles(app, {
    folder: webFolder,
    production: config.production,
    readHue: createReadHue(system),
  })

  const provider = await mountProvider(app, system, pages)
  const readSession = createReadSession(system)
  const readMachine = createReadMachine(system)
  const readDirectory = createReadDirectory(system)
  const hasFreshProof = createHasFreshProof(system.db, system.config.passkeyRpId)
  const parts: AppParts = {
    system,
    provider,
    pages,
    webFolder,
    bankIdClient,
    phoneApp: config.production ? undefined : phoneApp,
    jobs: createRecurringJobs(system, bankIdClient),
  }
  for (const { createCallGroups } of Object.values(rooms))
    for (const { routes, handlers } of createCallGroups(parts))
      serveRoutes(app, { system, readSession, readMachine, readDirectory, hasFreshProof, routes, handlers })
  return { app, health, provider }
}
