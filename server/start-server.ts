import { flushCompileCache } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { logCertificateWarning } from './bankid/certificate-warning.ts'
import { type Config, environment, unknownInEnvironment } from './config.ts'
import { configOrExit, exitConfig } from './config-or-exit.ts'
import { refuseOtherDomain } from './credentials/passkeys/domain.repository.ts'
import { operatorLine } from './operator-line.ts'
import { passedSocket } from './passed-socket.ts'
import { systemClock } from './platform/clock.ts'
import { describeDatabase } from './platform/database/describe-database.ts'
import { createOutage, type Outage } from './platform/database/outage.ts'
import type { Health } from './platform/http/endpoints/health.ts'
import { nodeName } from './platform/jobs/heartbeat.ts'
import { createLog, holdBackLog, sayInLog } from './platform/log.ts'
import { masterKeyInUse } from './platform/secrets/master-key-replacement.ts'
import { shutdownOnSignal } from './platform/shutdown.ts'
import { projectFolder } from './setting-checks.ts'
import { unknownLine } from './unknown-settings.ts'
import { isGone, waitForDatabase } from './wait-for-database.ts'

const settingErrors = ['ConfigError', 'MasterKeyError', 'BankIdCertificateError']
/** Milliseconds for open requests to finish, once no new connection is accepted. */
const finishMs = 10_000
/** Fastify says of each address that it listens; that the portal is ready is one line of ours. */
const listens = 'listening'
/** The same while the database is away. */
const aloneMs = 1500

/** Reads the settings, serves until a signal, and sets the exit code. */
export async function main(): Promise<void> {
  const config = configOrExit()
  // In production standard output contains only log lines.
  const held = config.production ? undefined : holdBackLog()
  const outage = createOutage()
  const log = createLog(config.logLevel, held?.destination, (entry) => entry === listens || outage.swallows(entry))
  for (const unknown of unknownInEnvironment()) log.warn(unknown, unknownLine(unknown))
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught exception, exiting'))
  const say = config.production ? sayInLog(log) : (line: string) => console.log(line)
  const closers: (() => Promise<void>)[] = []
  const stopping = new AbortController()
  const starting = start({ config, log, outage, say, closers, stopping: stopping.signal })
  const close = async (signal?: string) => {
    stopping.abort()
    // On a signal during the start, wait for it to finish, so that nothing is left half started.
    const health = await starting.catch(() => {})
    health?.drain()
    // Without its database it can finish nothing, and balancers have left it already.
    const isAlone = config.databaseUrl && (outage.lasts() || (await isGone(config.databaseUrl.reveal())))
    // Ctrl+C is somebody who waits; a service manager sends SIGTERM.
    if (signal === 'SIGTERM' && health && !isAlone) await wait(config.drainSeconds * 1000)
    const closing = closeAll(closers)
    await (isAlone ? Promise.race([closing, wait(aloneMs)]) : closing)
  }
  const timeoutMs = config.drainSeconds * 1000 + finishMs + 5000
  const onSignal = shutdownOnSignal({ close, timeoutMs, exit: process.exit, say })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  // Without a listener the first two would end the process, and the last would open a debugger to everybody on the machine.
  if (config.production)
    for (const signal of ['SIGHUP', 'SIGUSR2', 'SIGUSR1'] as const)
      process.on(signal, () => log.info({ signal }, 'signal ignored: settings are read at the start, SIGTERM ends'))
  // The terminal of a developer was closed.
  else process.on('SIGHUP', onSignal)
  try {
    await starting
    held?.release()
  } catch (error) {
    held?.release()
    // The signal's own end is under way.
    if (stopping.signal.aborted) return
    await close()
    console.error(operatorLine(error, config) ?? error)
    process.exit(settingErrors.includes((error as Error).name) ? exitConfig : 1)
  }
}

async function closeAll(closers: Start['closers']): Promise<void> {
  for (const closer of closers.reverse()) await closer()
}

interface Start {
  config: Config
  log: ReturnType<typeof createLog>
  outage: Outage
  say: (line: string) => void
  /** Functions that stop what was started; they run in reverse order. */
  closers: (() => Promise<void>)[]
  /** The process was told to end. */
  stopping: AbortSignal
}

async function start({ config, log, outage, say, closers, stopping }: Start): Promise<Health> {
  // Load the modules while the database starts.
  const loading = Promise.all([
    import('./app.ts'),
    import('./create-system.ts'),
    import('./platform/secrets/master-key.ts'),
  ])
  loading.catch(() => {})
  const connecting = import('./connect-bankid.ts').then(({ connectBankId }) => connectBankId(config, systemClock))
  connecting.catch(() => {})
  // Report an invalid certificate before anything else.
  if (config.bankidUrl !== undefined) await connecting
  const fd = passedSocket(environment(), process.pid)
  if (fd === undefined) await checkAddress(config)
  const { prepareDatabase } = await import('./prepare-database.ts')
  const database = await prepareDatabase(config, say, stopping)
  closers.push(database.stop)
  const [{ createApp }, { createSystem }, { loadMasterKey }] = await loading
  const { bankid, phoneApp } = await connecting
  if (bankid) closers.push(bankid.close)
  const masterKey = await loadMasterKey(config)
  const system = await waitForDatabase(() => createSystem({ config, database, masterKey, log }), { config, say })
  closers.push(system.close)
  await refuseOtherDomain(system, config)
  const stopWatching = outage.watch(system)
  if (masterKey.next && (await masterKeyInUse(system.db, masterKey)) === masterKey.next)
    log.warn('the master key has been replaced: make MASTER_KEY_NEXT the MASTER_KEY')
  const since = system.quarantine.since()
  if (since) log.warn({ since }, 'this copy is in quarantine: it sends nothing and runs no job until quarantine end')
  closers.push(async () => stopWatching())
  log.info(
    {
      name: nodeName(config.port),
      version: system.version,
      node: process.version,
      ...(await describeDatabase(system.pool)),
    },
    'starting',
  )
  const signIns = await (await import('./prepare-content.ts')).prepareContent(system, { database, say })
  const { app, health, provider } = await createApp(system, {
    webFolder: join(projectFolder, 'dist', 'web'),
    bankIdClient: bankid,
    phoneApp,
  })
  let background: { stop(): Promise<void> } | undefined
  closers.push(async () => {
    // Close both concurrently, so that no requests are accepted while a delivery finishes.
    const closed = Promise.all([app.close(), background?.stop()])
    await Promise.race([closed, wait(finishMs, undefined, { ref: false })])
    app.server.closeAllConnections()
    await closed
  })
  // Fastify passes `fd` on to Node, which then minds neither port nor host. Without a host Fastify would listen a second time.
  const where = fd === undefined ? { port: config.port, host: config.host } : { fd, host: '127.0.0.1' }
  await app.listen({ ...where, listenTextResolver: () => listens })
  logCertificateWarning(bankid, { now: system.clock(), log })
  if (signIns.length > 0)
    closers.push((await (await import('./demo/start-neighbours.ts')).startNeighbours(system)).close)
  const { port } = app.server.address() as AddressInfo
  const ready = `Vestibule is ready: ${config.baseUrl}`
  if (config.production) log.info({ port }, ready)
  else say(welcome(ready, config, signIns, phoneApp?.path))
  // Start background work after the server listens, so that it does not delay the start.
  const { startBackgroundWork } = await import('./background-work.ts')
  background = startBackgroundWork(system, { ...database, bankid, provider })
  // Writes it now instead of at the end, and frees what was read of it: 5 MB.
  flushCompileCache()
  return health
}

/**
 * Tries the address to listen on before a database is made for it.
 *
 * @throws Error EADDRINUSE, EACCES or EADDRNOTAVAIL
 */
async function checkAddress({ port, host }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve))
  await new Promise((resolve) => probe.close(resolve))
}

function welcome(
  ready: string,
  { baseUrl, demoPassword, smtpUrl }: Config,
  signIns: readonly { email: string; what: string }[],
  phoneApp: string | undefined,
): string {
  const lines = ['', ready]
  if (signIns.length > 0) {
    const width = Math.max(...signIns.map(({ email }) => email.length))
    lines.push('', `Sign in (where a password is asked for, it is ${demoPassword}) as`)
    lines.push(...signIns.map(({ email, what }) => `  ${email.padEnd(width)}  ${what}`))
    lines.push('')
  }
  if (!smtpUrl) lines.push(`Mail and text messages stay here: ${baseUrl}/dev/outbox`)
  if (phoneApp && signIns.length > 0) lines.push(`BankID is a simulator, with a phone: ${baseUrl}${phoneApp}`)
  lines.push('Stop with Ctrl+C.', '')
  return lines.join('\n')
}
