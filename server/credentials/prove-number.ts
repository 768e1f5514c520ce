import { fallbackLanguage } from '#contract/languages.ts'
import { type PersonProof, signInMethods } from '#contract/sign-in-methods.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import { type Holder, listOrganizationIds, lockHolders, setProof, withdrawProof } from './proven-numbers.repository.ts'

/** Who says that a personal number is the person's own. */
export interface NumberProof {
  by: PersonProof
  /** Lookup indexes of the number, in hex: one for each key. */
  indexes: readonly string[]
}

type Context = Pick<RequestContext, 'transact' | 'outbox' | 'keys' | 'now' | 'requestId'>

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
    const isStronger =
      signInMethods[by].askedOf === 'number' ? own?.ssnProof !== by : !holders.some(({ ssnProof }) => ssnProof)
    if (!own || !isStronger) return
    for (const other of others) await yieldNumber(context, trx, other)
    await setProof(trx, accountId, { by, now: context.now })
  })
}

async function yieldNumber({ outbox, keys, now, requestId }: Context, db: Db, holder: Holder): Promise<void> {
  const { accountId, email, firstName, preferredLanguage, ssnSealed, ssnProof } = holder
  const keeps = ssnProof !== null
  await withdrawProof(db, accountId, { keeps })
  const ssn = ssnSealed && (await unsealSsn(keys, accountId, ssnSealed))
  await writeAuditEvent(
    db,
    {
      name: 'yieldPersonalNumber',
      // Who has proven it is no business of this one's organisations.
      actor: null,
      target: { id: accountId, label: email },
      organizationIds: await listOrganizationIds(db, accountId),
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
