import { fallbackLanguage } from '#contract/languages.ts'
import { type passwordResets, resetLifetime } from '#contract/password-reset.ts'
import { can } from '#contract/permissions.ts'
import { isLocal } from '#contract/user-forms.ts'
import { addressKey } from '#server/platform/address.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import { countedFirst } from '#server/platform/counted-first.ts'
import type { LimitKey } from '#server/platform/limits.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { findPersonForUpdate, type ResetPerson } from './password-reset.repository.ts'
import { sendReset } from './send-reset.ts'

type Context = RequestContext<typeof passwordResets.request>

/**
 * Mails a link to choose a new password. Who may ask for this person hears what is in the way; anybody else hears
 * nothing, and the work is the same whether or not there is such a person.
 */
export async function requestReset(context: Context): Promise<undefined> {
  const { actor } = context
  if (actor && can(actor, 'administerUser') && (await sendForAdmin(context, actor.accountId))) return undefined
  await sendForAnybody(context)
  return undefined
}

/** @returns whether this admin may ask for this person; then the mail is queued */
async function sendForAdmin(context: Context, adminId: string): Promise<boolean> {
  const { input } = context
  const requests: LimitKey[] = [{ name: 'resetRequestAccount', key: `${input.email} ${adminId}` }]
  const { result } = await countedFirst(context, requests, () =>
    context.transact(async (trx, audit) => {
      const person = await findPersonForUpdate(trx, input.email)
      if (!person || !mayAskFor(context, person)) return false
      if (!isLocal(person.loginMethod)) throw new Problem(409, 'passwordNotForMethod')
      if (person.pending) throw new Problem(409, 'userPending')
      audit(eventOf(person, input.email))
      await sendReset(context, trx, {
        person,
        email: input.email,
        hours: input.tokenLifeTimeInHours ?? resetLifetime.byAdmin,
        byAdmin: true,
        language: fallbackLanguage,
      })
      return true
    }),
  )
  return result
}

async function sendForAnybody(context: Context): Promise<void> {
  const { db, input, actor, limits, now, ip } = context
  await limits.take(db, [{ name: 'resetRequest', key: addressKey(ip) }], now)
  const work = () =>
    context.transact(async (trx, audit) => {
      const person = await findPersonForUpdate(trx, input.email)
      // An event belongs to the organisations of its actor too: whose admins must not read there who has an account.
      audit(eventOf(actor ? undefined : person, input.email))
      await sendReset(context, trx, {
        person,
        email: input.email,
        hours: resetLifetime.byAnybody,
        byAdmin: false,
        language: requestLanguage(context.http.request),
      })
    })
  await countedFirst(context, [{ name: 'resetRequestAccount', key: input.email }], work).catch((error: unknown) => {
    // More than an account gets: whoever asks must not learn of it.
    if (!(error instanceof Problem && error.status === 429)) throw error
  })
}

const mayAskFor = ({ actor }: Context, { accountId, superUser, organizationIds }: ResetPerson) =>
  actor !== undefined && can(actor, 'administerUser', { accountId, superUser, organizationIds, services: [] })

const eventOf = (person: ResetPerson | undefined, email: string): AuditEntry => ({
  name: 'requestPasswordReset',
  target: { id: person?.accountId ?? null, label: email },
  organizationIds: person?.organizationIds ?? [],
})
