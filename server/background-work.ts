import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRenderers } from './features/email-templates/renderers.ts'
import { type Background, startBackground } from './platform/background.ts'
import { warnOfCertificate } from './platform/bankid-certificate-warning.ts'
import { createFolderOutbox } from './platform/folder-outbox.ts'
import { housekeeping } from './platform/housekeeping.ts'
import type { PreparedDatabase } from './platform/prepare-database.ts'
import { secret } from './platform/secret.ts'
import { type Sms, SmsFailure } from './platform/sms.ts'
import { createSmsFromSettings } from './platform/sms-provider.ts'
import { createSmtpMailer } from './platform/smtp-mailer.ts'
import type { System } from './platform/system.ts'

/** Where a message that nobody can take is noted as failed: production without a gateway sends no SMS. */
const noSms: Sms = {
  send: async () => {
    throw new SmsFailure('SMS_PROVIDER is not set', { retry: false })
  },
}

const secondsBetweenStarts = 5

/**
 * Starts what runs without a request: deliveries and recurring jobs. Returns at once, and keeps trying while the
 * database cannot be reached: the server serves meanwhile.
 */
export function startBackgroundWork(
  { config, db, keys, clock, log, bankid }: System,
  { appUrl, appRole }: Pick<PreparedDatabase, 'appUrl' | 'appRole'>,
): Background {
  const folder = createFolderOutbox(join(config.dataDir, 'outbox'), clock)
  const { smtpUrl, mailFrom, companyName, production } = config
  const mailer = smtpUrl
    ? createSmtpMailer({
        url: smtpUrl,
        from: mailFrom,
        company: companyName,
        requireTls: production,
        dkim: dkimOf(config),
      })
    : folder.mailer
  const sms = createSmsFromSettings(config) ?? (production ? noSms : folder.sms)
  const delivery = { db, keys, clock, log, mailer, sms, render: createRenderers(config) }
  const stopping = new AbortController()

  async function keepStarting(): Promise<Background | undefined> {
    while (!stopping.signal.aborted) {
      try {
        // The audit chain's head is written whatever LOG_LEVEL says: it is a proof, not a message.
        const jobs = [
          ...housekeeping({ db, keys, clock, log: log.child({}, { level: 'info' }) }),
          {
            name: 'bankidCertificate',
            cron: '7 6 * * *',
            run: async () => warnOfCertificate(bankid, { now: clock(), log }),
          },
        ]
        return await startBackground({ url: appUrl, role: appRole, delivery, jobs, log })
      } catch (error) {
        log.error({ err: error }, 'background work could not start and is tried again')
        await wait(secondsBetweenStarts * 1000, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    return undefined
  }
  const starting = keepStarting()
  return {
    async stop() {
      stopping.abort()
      await (await starting)?.stop()
      await mailer.close()
    },
  }
}

function dkimOf({ dkimSelector, dkimKeyFile }: System['config']) {
  if (!dkimSelector || !dkimKeyFile) return undefined
  return { selector: dkimSelector, privateKey: secret(readFileSync(dkimKeyFile, 'utf8')) }
}
