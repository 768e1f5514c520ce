import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '#server/config.ts'
import type { Clock } from '../clock.ts'
import { secret } from '../secret.ts'
import { createFolderOutbox } from './folder-outbox.ts'
import type { MailServer } from './mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

/** Creates the mailer of the settings: the mail server, or without one the files in DATA_DIR/outbox. */
export function createMailerFromSettings(config: Config, clock: Clock): MailServer {
  const { smtpUrl, smtpCaFile, mailFrom, companyName, smtpHostname, production, dataDir, dkimSelector, dkimKeyFile } =
    config
  if (!smtpUrl) return createFolderOutbox(join(dataDir, 'outbox'), clock).mailer
  return createSmtpMailer({
    url: smtpUrl,
    from: mailFrom,
    company: companyName,
    host: smtpHostname,
    requireTls: production,
    ca: smtpCaFile === undefined ? undefined : readSettingFile('SMTP_CA_FILE', smtpCaFile),
    dkim:
      dkimSelector && dkimKeyFile
        ? { selector: dkimSelector, privateKey: secret(readSettingFile('DKIM_KEY_FILE', dkimKeyFile)) }
        : undefined,
  })
}

/** @throws ConfigError that names the setting */
export function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${setting} cannot be read: ${(error as Error).message}`)
  }
}
