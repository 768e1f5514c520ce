import { findUser } from '#server/accounts/stored-user.repository.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { System } from '#server/platform/system.ts'
import { countTold, listAccountsToTell, lockUntold, noteTold, type Untold } from './new-browsers.repository.ts'

/** Mails about single networks that an owner gets in a day; what is more stands in the summary. */
const mailsADay = 10
const aDay = 24 * 3_600_000

type Options = Pick<System, 'db' | 'outbox' | 'clock' | 'config'>

/**
 * Mails owners about browsers that their accounts had not used. No sign-in waits for it. The first one from a network is told
 * within a minute; whoever signs in a thousand times from there fills no mailbox: the rest is one number, a day later.
 */
export const createNewBrowsersJob = ({ db, clock, ...system }: Options): RecurringJob => ({
  name: 'new-browsers',
  cron: '* * * * *',
  async run() {
    const now = clock()
    for (const accountId of await listAccountsToTell(db, dayBefore(now)))
      await inTransaction(db, (trx) => tellOwner({ ...system, now }, trx, accountId))
  },
})

const dayBefore = (now: Date) => new Date(now.getTime() - aDay)

type Context = Pick<System, 'outbox' | 'config'> & { now: Date }

async function tellOwner(context: Context, db: Db, accountId: string): Promise<void> {
  const since = dayBefore(context.now)
  const untold = await lockUntold(db, accountId)
  const left = mailsADay - (await countTold(db, accountId, since))
  const firsts = untold.filter(({ told, firstAt }) => told === 0 && firstAt > since).slice(0, Math.max(0, left))
  for (const one of firsts) {
    await mail(context, db, accountId, one, null)
    await noteTold(db, accountId, one, 1)
  }
  const [oldest, ...others] = untold.filter(({ firstAt }) => firstAt <= since)
  if (!oldest) return
  const all = [oldest, ...others]
  const count = all.reduce((sum, { signIns, told }) => sum + signIns - told, 0)
  await mail(context, db, accountId, oldest, count)
  for (const one of all) await noteTold(db, accountId, one, one.signIns)
}

/** @param count of a summary: how many times somebody signed in since then */
async function mail(
  context: Context,
  db: Db,
  accountId: string,
  { firstAt, browser, language }: Untold,
  count: number | null,
): Promise<void> {
  const owner = await findUser(db, accountId)
  if (!owner) return
  await context.outbox.mail(
    db,
    mailMessage({
      template: 'new-browser',
      to: { address: owner.email, accountId },
      language,
      values: {
        ...{ firstName: owner.firstName, at: firstAt.toISOString(), browser: count === null ? browser : '', count },
        // What came after the sign-in is undone, also before this mail was written.
        link: await notMeLink({ ...context, now: context.now, since: firstAt }, db, accountId),
      },
    }),
  )
}
