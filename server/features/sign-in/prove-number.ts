import { fallbackLanguage } from '#contract/languages.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import { mailMessage } from '../email-templates/email-templates.ts'

/** Who says that a personal number is the person's own. */
export interface NumberProof {
  by: 'bankid' | 'company'
  /** Lookup indexes of the number, in hex: one for each key. */
  indexes: readonly string[]
}

type Context = Pick<RequestContext, 'transact' | 'outbox' | 'keys' | 'now' | 'requestId'>
type Holder = Awaited<ReturnType<typeof lockHolders>>[number]

/**
 * Stores that the number of an account is proven, if the account still has that number. Everybody else yields: a claim is
 * removed. An account that had proven it too keeps it as a claim, and proves it again by its next sign-in with BankID, so that
 * nobody can be locked out. A company proves no number that is proven already (decision 0064).
 */
export async function proveNumber(context: Context, accountId: string, { by, indexes }: NumberProof): Promise<void> {
  await context.transact(async (trx) => {
    const holders = await lockHolders(trx, indexes)
    const own = holders.find((one) => one.accountId === accountId)
    const others = holders.filter((one) => one !== own)
    const isStronger = by === 'bankid' ? own?.ssnProof !== 'bankid' : !holders.some(({ ssnProof }) => ssnProof)
    if (!own || !isStronger) return
    for (const other of others) await yieldNumber(context, trx, other)
    await trx
      .updateTable('users')
      .set({ ssnProof: by, ssnProvenAt: context.now })
      .where('accountId', '=', accountId)
      .execute()
  })
}

/** Locks everybody with the number, always in the same order: two of them may prove it at once. */
const lockHolders = (db: Db, indexes: readonly string[]) =>
  db
    .selectFrom('users')
    .select(['accountId', 'email', 'firstName', 'preferredLanguage', 'ssnSealed', 'ssnProof'])
    .where(
      'ssnIndex',
      'in',
      indexes.map((index) => Buffer.from(index, 'hex')),
    )
    .orderBy('accountId')
    .forNoKeyUpdate()
    .execute()

async function yieldNumber({ outbox, keys, now, requestId }: Context, db: Db, holder: Holder): Promise<void> {
  const { accountId, email, firstName, preferredLanguage, ssnSealed, ssnProof } = holder
  const keeps = ssnProof !== null
  const removed = keeps ? {} : { ssnSealed: null, ssnIndex: null }
  await db
    .updateTable('users')
    .set((row) => ({ ...removed, ssnProof: null, ssnProvenAt: null, version: row('version', '+', 1) }))
    .where('accountId', '=', accountId)
    .execute()
  const places = await db
    .selectFrom('memberships')
    .select('organizationId')
    .where('accountId', '=', accountId)
    .execute()
  const ssn = ssnSealed && (await unsealSsn(keys, accountId, ssnSealed))
  await writeAuditEvent(
    db,
    {
      name: 'yieldPersonalNumber',
      // Who has proven it is no business of this one's organisations.
      actor: null,
      target: { id: accountId, label: email },
      organizationIds: places.map(({ organizationId }) => organizationId),
      before: keeps ? { ssnProof } : { ssn },
      after: keeps ? { ssnProof: null } : { ssn: null },
    },
    { actor: undefined, requestId, now },
  )
  await outbox.mail(
    db,
    mailMessage({
      template: 'number-proven-elsewhere',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      values: { firstName, keeps, at: now.toISOString() },
    }),
  )
}
