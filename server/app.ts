import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { apiDescription } from '#contract/api-description.ts'
import { bankid } from '#contract/bankid.ts'
import { devBankId } from '#contract/dev-bankid.ts'
import { devOutbox } from '#contract/dev-outbox.ts'
import { invitationPages } from '#contract/invitations.ts'
import { passwordResetPages, passwordResets } from '#contract/password-reset.ts'
import { profile } from '#contract/profile.ts'
import type { Routes } from '#contract/route.ts'
import { saml } from '#contract/saml.ts'
import { signIn, signOut } from '#contract/sign-in.ts'
import { users } from '#contract/users.ts'
import { apiDescriptionHandlers } from './features/api-description/api-description.handlers.ts'
import { devBankIdHandlers, type PhoneApp } from './features/dev-bankid/dev-bankid.handlers.ts'
import { devOutboxHandlers } from './features/dev-outbox/dev-outbox.handlers.ts'
import { invitationPagesHandlers } from './features/invitations/invitations.handlers.ts'
import { passwordResetHandlers, passwordResetPagesHandlers } from './features/password-reset/password-reset.handlers.ts'
import { profileHandlers } from './features/profile/profile.handlers.ts'
import { signOutHandlers } from './features/session/sign-out.handlers.ts'
import { bankidHandlers } from './features/sign-in/bankid/bankid.handlers.ts'
import { samlHandlers } from './features/sign-in/saml/saml.handlers.ts'
import { signInHandlers } from './features/sign-in/sign-in.handlers.ts'
import { usersHandlers } from './features/users/users.handlers.ts'
import { mountProvider } from './oidc/mount-provider.ts'
import { createReadSession } from './oidc/read-session.ts'
import { serve } from './platform/door.ts'
import { createFolderOutbox } from './platform/folder-outbox.ts'
import { databaseReadiness, type Health, serveHealth } from './platform/health.ts'
import { createHttpServer } from './platform/http-server.ts'
import { inlineStyles } from './platform/inline-styles.ts'
import { serveLocaleFiles } from './platform/locale-files.ts'
import { serveMetrics } from './platform/metrics.ts'
import { readMigrations } from './platform/migrate.ts'
import { openPublicPages } from './platform/public-pages.ts'
import type { Handlers } from './platform/request-context.ts'
import type { System } from './platform/system.ts'
import { serveWebFiles } from './platform/web-files.ts'
import { rooms } from './rooms.ts'

interface AppOptions {
  /** What the build of the web app made. */
  webFolder: string
  /** Where BankID is the simulator. */
  phoneApp?: PhoneApp | undefined
}

/** The portal with every room opened. No port is opened and nothing runs by itself. */
export async function createApp(
  system: System,
  { webFolder, phoneApp }: AppOptions,
): Promise<{ app: FastifyInstance; health: Health }> {
  const { config, pool, log } = system
  const pages = openPublicPages(webFolder, config)
  const app = await createHttpServer({
    config,
    logger: log,
    renderProblemPage: pages.renderProblem,
    styles: inlineStyles(webFolder),
  })
  const needed = readMigrations(join(import.meta.dirname, 'migrations')).length
  const health = serveHealth(app, { isReady: databaseReadiness(pool, needed) })
  serveMetrics(app, system)
  await serveLocaleFiles(app, join(import.meta.dirname, '../locales'))
  await serveWebFiles(app, { folder: webFolder, production: config.production })

  const provider = await mountProvider(app, system, pages)
  const readSession = createReadSession(system)
  const open = <Group extends Routes>(routes: Group, handlers: Handlers<Group>) =>
    serve(app, { system, readSession, routes, handlers })
  for (const { routes, handlers } of rooms) open(routes, handlers as Handlers<Routes>)
  open(signIn, signInHandlers(pages, provider))
  open(saml, samlHandlers(provider))
  open(bankid, bankidHandlers(provider, phoneApp && !config.production ? phoneApp.path : null))
  open(signOut, signOutHandlers(pages, provider))
  open(invitationPages, invitationPagesHandlers(pages))
  open(passwordResets, passwordResetHandlers(provider))
  open(passwordResetPages, passwordResetPagesHandlers(pages))
  open(users, usersHandlers(provider))
  open(profile, profileHandlers(provider))
  open(apiDescription(config.production ? 'readApiDescription' : 'public'), apiDescriptionHandlers(webFolder))
  if (!config.production)
    open(devOutbox, devOutboxHandlers(createFolderOutbox(join(config.dataDir, 'outbox'), system.clock)))
  if (phoneApp && !config.production) open(devBankId, devBankIdHandlers(phoneApp))
  return { app, health }
}
