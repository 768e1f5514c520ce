import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { startBackgroundWork } from '#server/background-work.ts'
import { readConfig } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { createLog } from '#server/platform/log.ts'
import { loadMasterKey } from '#server/platform/secrets/master-key.ts'
import type { Figure } from './measure.ts'

const mails = 1000

/** How long a thousand queued mails take to leave to a mail server on this machine. */
export async function measureMails(database: { appUrl: string }, dataDir: string): Promise<Figure[]> {
  let taken = 0
  let allTaken = () => {}
  const done = new Promise<void>((resolve) => {
    allTaken = resolve
  })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', () => {
        callback()
        if (++taken === mails) allTaken()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', SMTP_URL: `smtp://127.0.0.1:${port}` })
  const log = createLog('error')
  const system = await createSystem({ config, database, masterKey: await loadMasterKey(config), log })
  await system.db.transaction().execute(async (db) => {
    for (let count = 0; count < mails; count++)
      await system.outbox.mail(
        db,
        mailMessage({
          template: 'password-changed',
          to: { address: `person${count}@nordvik.example` },
          language: 'sv',
          values: { firstName: 'Anna', at: system.clock().toISOString(), link: 'https://portal.example/not-me/x' },
        }),
      )
  })
  const since = performance.now()
  const background = startBackgroundWork(system, {
    appUrl: database.appUrl,
    appRole: undefined,
    // No session ends here.
    provider: { createLogoutToken: async () => undefined },
  })
  await done
  const seconds = (performance.now() - since) / 1000
  await background.stop()
  await system.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return [
    {
      name: 'a thousand queued mails',
      value: seconds,
      unit: 's',
      limit: { what: 'budget', value: 30 },
      target: { atMost: 1 },
    },
  ]
}
