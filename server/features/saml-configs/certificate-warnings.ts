import type { Kysely } from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { rememberWarning } from './certificate-warnings.repository.ts'
import { mailSuperUsers } from './mail-super-users.ts'
import { type EndingCertificate, listEndingCertificates } from './saml-configs.ts'

interface Options {
  db: Kysely<DB>
  outbox: Outbox
  clock: Clock
}

const dayMs = 24 * 60 * 60 * 1000
/** How many days before its end super users hear of a certificate. */
const warnings = [1, 7, 30, 60] as const

/** Mails super users 60, 30, 7 and 1 days before nobody can sign in with a configuration, because its certificate ends. */
export const createCertificateWarningsJob = ({ db, outbox, clock }: Options): RecurringJob => ({
  name: 'saml-certificates',
  cron: '27 6 * * *',
  run: async () => {
    const now = clock()
    for (const ending of await listEndingCertificates(db, now))
      await inTransaction(db, (trx) => warn(trx, { ending, outbox, now }))
  },
})

async function warn(db: Db, { ending, outbox, now }: { ending: EndingCertificate; outbox: Outbox; now: Date }) {
  const daysLeft = (Date.parse(ending.validTo) - now.getTime()) / dayMs
  // After missed nights only the latest warning counts.
  const daysBefore = warnings.find((days) => daysLeft <= days)
  if (daysLeft < 0 || daysBefore === undefined) return
  const { id: configId, name, validTo } = ending
  if (!(await rememberWarning(db, { samlConfigId: configId, validTo, daysBefore }))) return
  await mailSuperUsers(db, outbox, 'certificate-ends', { configId, name, validTo })
}
