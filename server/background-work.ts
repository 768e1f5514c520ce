import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { BankId } from './bankid/bankid.ts'
import { createErasureQueue } from './features/audit-events/erasure/erasure-queue.ts'
import { startAuditStreams } from './features/audit-streams/audit-streams.ts'
import { createOwnDataQueue } from './features/profile/own-data/make-copy.ts'
import { createRenderers } from './mails/renderers.ts'
import { createLogoutDelivery } from './oidc/logout/deliver-logout.ts'
import { startSessionEnds } from './oidc/logout/expired-sessions.ts'
import type { MountedProvider } from './oidc/mount-provider.ts'
import { startSealer } from './platform/audit/sealer.ts'
import { backgroundTimeout, openDatabase } from './platform/database/database.ts'
import { type Background, startBackground } from './platform/jobs/background.ts'
import { startHeartbeat } from './platform/jobs/heartbeat.ts'
import { createFolderOutbox } from './platform/messages/folder-outbox.ts'
import { createMailReturn, type MailReturn } from './platform/messages/mail-return.ts'
import { createMailerFromSettings, readSettingFile } from './platform/messages/mailer-from-settings.ts'
import { type Sms, SmsFailure } from './platform/messages/sms.ts'
import { createSmsFromSettings } from './platform/messages/sms-provider.ts'
import type { System } from './platform/system.ts'
import type { PreparedDatabase } from './prepare-database.ts'
import { createRecurringJobs } from './recurring-jobs.ts'

/** Fails every SMS: production without an SMS gateway sends none. */
const noSms: Sms = {
  send: async () => {
    throw new SmsFailure('SMS_PROVIDER is not set', { retry: false })
  },
}

interface BackgroundParts extends Pick<PreparedDatabase, 'appUrl' | 'appRole'> {
  bankid?: BankId | undefined
  provider: Pick<MountedProvider, 'createLogoutToken'>
}

const secondsBetweenStarts = 5

/**
 * Starts the work outside requests: the sealer of the audit log, deliveries and recurring jobs. Returns immediately and keeps retrying in the background
 * while the database is unreachable, so the server can already serve.
 */
export function startBackgroundWork(
  { config, keys, clock, log, outbox, outgoing, quarantine, nodeId, version }: System,
  { appUrl, appRole, bankid, provider }: BackgroundParts,
): Background {
  const mailer = createMailerFromSettings(config, clock)
  const folder = createFolderOutbox(join(config.dataDir, 'outbox'), clock)
  const sms = createSmsFromSettings(config) ?? (config.production ? noSms : folder.sms)
  // Jobs have their own connections, so that slow jobs never delay requests.
  const { db, close } = openDatabase({ url: appUrl, role: appRole, size: 3, statementTimeout: backgroundTimeout })
  // A job that takes long must not keep events from the chain.
  const forSealer = openDatabase({ url: appUrl, role: appRole, size: 1, statementTimeout: backgroundTimeout })
  const sealer = startSealer({ db: forSealer.db, log })
  const heartbeat = startHeartbeat({ db, clock, log, nodeId, config, version, keys })
  const logouts = createLogoutDelivery({ db, clock, log, outgoing, provider })
  const copies = createOwnDataQueue({ db, keys, clock, log, outbox, config })
  const erasures = createErasureQueue({ db, keys, clock, log })
  const openStreams = () =>
    startAuditStreams({
      ...{ db, keys, clock, log, outbox, outgoing },
      syslog: config.auditSyslog && {
        ...config.auditSyslog,
        ca: config.auditSyslogCaFile && readSettingFile('AUDIT_SYSLOG_CA_FILE', config.auditSyslogCaFile),
      },
      writeLine: config.auditStdout ? (line) => void process.stdout.write(`${line}\n`) : undefined,
    })
  const stopping = new AbortController()
  let mailReturn: MailReturn | undefined

  async function keepStarting(): Promise<Background | undefined> {
    // A restored copy sends nothing and runs no job.
    await quarantine.ended(stopping.signal)
    if (stopping.signal.aborted) return undefined
    mailReturn = createMailReturn({ db, mailer, log })
    const render = createRenderers({ config, db, log })
    const delivery = { db, keys, clock, log, mailer, sms, render, mailLost: mailReturn.lost }
    while (!stopping.signal.aborted) {
      try {
        const jobs = createRecurringJobs({ config, db, keys, clock, log, outbox, outgoing }, bankid)
        return await startBackground({
          url: appUrl,
          role: appRole,
          delivery,
          queues: [logouts, copies, erasures],
          jobs,
          log,
        })
      } catch (error) {
        log.error({ err: error }, 'background work could not start; retrying')
        await wait(secondsBetweenStarts * 1000, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    return undefined
  }
  const starting = keepStarting()
  const streaming = quarantine.ended(stopping.signal).then(() => (stopping.signal.aborted ? undefined : openStreams()))
  const sessionEnds = quarantine
    .ended(stopping.signal)
    .then(() => (stopping.signal.aborted ? undefined : startSessionEnds({ db, clock, log })))
  return {
    async stop() {
      stopping.abort()
      await Promise.all([
        heartbeat.stop(),
        streaming.then((streams) => streams?.stop()),
        sessionEnds.then((ends) => ends?.stop()),
        starting.then((background) => background?.stop()),
        mailReturn?.stop(),
      ])
      await mailer.close()
      await sealer.stop()
      await Promise.all([close(), forSealer.close()])
    },
  }
}
