import { fallbackLanguage } from '#contract/languages.ts'
import { type passwordResets, resetLifetime } from '#contract/password-reset.ts'
import { can } from '#contract/permissions.ts'
import { isLocal } from '#contract/user-forms.ts'
import { addressKey } from '#server/platform/address.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
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
  const { db, input, actor, limits, now, ip } = context
  if (actor && can(actor, 'administerUser')) {
    await limits.take(db, [{ name: 'resetRequestAccount', key: `${input.email} ${actor.accountId}` }], now)
    const asked = await context.transact(async (trx, audit) => {
      const person = await findPersonForUpdate(trx, input.email)
      if (!person || !mayAskFor(context, person)) return undefined
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
      return person.accountId
    })
    if (asked) return undefined
  }

  await limits.take(db, [{ name: 'resetRequest', key: addressKey(ip) }], now)
  const silently = (error: unknown) => {
    if (error instanceof Problem && error.status === 429) return undefined
    throw error
  }
  const counted = await limits.take(db, [{ name: 'resetRequestAccount', key: input.email }], now).catch(silently)
  if (!counted) return undefined
  await context.transact(async (trx, audit) => {
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
  return undefined
}

const mayAskFor = ({ actor }: Context, { accountId, superUser, organizationIds }: ResetPerson) =>
  actor !== undefined && can(actor, 'administerUser', { accountId, superUser, organizationIds, services: [] })

const eventOf = (person: ResetPerson | undefined, email: string): AuditEntry => ({
  name: 'requestPasswordReset',
  target: { id: person?.accountId ?? null, label: email },
  organizationIds: person?.organizationIds ?? [],
})
