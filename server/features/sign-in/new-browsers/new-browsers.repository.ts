import { type RawBuilder, sql } from 'kysely'
import type { Language } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { NewBrowser } from './new-browser.ts'

/** Notes a new browser as a part of the statement that writes its sign-in. @param from a row for each sign-in that is written */
export const noteNewBrowser = (
  { network, browser, language }: NewBrowser,
  { accountId, now, from }: { accountId: string; now: Date; from: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`
  insert into new_browsers (account_id, network, day, first_at, browser, language)
  select ${accountId}::uuid, ${network}::text, ${now.toISOString().slice(0, 10)}::date, ${now}::timestamptz,
    ${browser}::text, ${language}::text
  from ${from}
  on conflict (account_id, network, day) do update set sign_ins = new_browsers.sign_ins + 1`

/** Sign-ins from one network on one day, of which the owner does not know each. */
export interface Untold {
  network: string
  day: Date
  firstAt: Date
  browser: string
  language: Language
  signIns: number
  told: number
}

/** Accounts whose owners are to be told something. @param since of what is older, each sign-in is told */
export async function listAccountsToTell(db: Db, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('newBrowsers')
    .select('accountId')
    .distinct()
    .whereRef('told', '<', 'signIns')
    .where((eb) => eb.or([eb('told', '=', 0), eb('firstAt', '<=', since)]))
    .execute()
  return rows.map(({ accountId }) => accountId)
}

/** Two nodes take turns. */
export const lockUntold = async (db: Db, accountId: string): Promise<Untold[]> =>
  (await db
    .selectFrom('newBrowsers')
    .select(['network', 'day', 'firstAt', 'browser', 'language', 'signIns', 'told'])
    .where('accountId', '=', accountId)
    .whereRef('told', '<', 'signIns')
    .orderBy('firstAt')
    .forUpdate()
    .execute()) as unknown as Untold[]

/** How many networks of this account were told since then. */
export async function countTold(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('newBrowsers')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .where('told', '>', 0)
    .where('firstAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const noteTold = (db: Db, accountId: string, { network, day }: Untold, told: number) =>
  db
    .updateTable('newBrowsers')
    .set({ told })
    .where('accountId', '=', accountId)
    .where('network', '=', network)
    .where('day', '=', day)
    .execute()
