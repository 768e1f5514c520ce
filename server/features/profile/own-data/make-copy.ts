import { fallbackLanguage } from '#contract/languages.ts'
import type { Config } from '#server/config.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { DeliveryQueue } from '#server/platform/jobs/background.ts'
import { seal } from '#server/platform/secrets/sealing.ts'
import type { System } from '#server/platform/system.ts'
import { collectData } from './collect-data.repository.ts'
import { findRequest, forgetCopy, storeCopy } from './own-data.repository.ts'

/** The queue of copies to make. */
export const ownDataQueue = 'own-data'

/** The cell of a copy; encrypted with the purpose `outbox`, whose keys outlive it. */
export const copyCell = (copyId: string) => ({ table: 'data_copies', column: 'sealed', row: copyId })

const day = 24 * 3_600_000
export const expiryOf = (readyAt: Date, { keepDataCopies }: Pick<Config, 'keepDataCopies'>) =>
  new Date(readyAt.getTime() + keepDataCopies * day)

type Options = Pick<System, 'db' | 'keys' | 'clock' | 'log' | 'outbox' | 'config'>

/** Makes the copies of their data that people have asked for, and mails that they are ready. */
export const createOwnDataQueue = ({ db, keys, clock, log, outbox, config }: Options): DeliveryQueue => ({
  name: ownDataQueue,
  batches: 1,
  batchSize: 1,
  async deliver(copyId) {
    const request = await findRequest(db, copyId)
    if (!request) return
    const data = await collectData(db, keys, request.accountId)
    if (!data) return
    const now = clock()
    const sealed = seal(keys, 'outbox', copyCell(copyId), JSON.stringify({ createdAt: now, ...data }))
    await inTransaction(db, async (trx) => {
      if (!(await storeCopy(trx, copyId, sealed, now))) return
      await outbox.mail(
        trx,
        mailMessage({
          template: 'own-data-ready',
          to: { address: request.email, accountId: request.accountId },
          language: request.preferredLanguage ?? fallbackLanguage,
          values: { firstName: request.firstName, expiresAt: expiryOf(now, config).toISOString() },
        }),
      )
    })
  },
  async giveUp(copyId) {
    await forgetCopy(db, copyId)
    log.error({ copyId }, 'a copy of personal data could not be made')
  },
})
