import type { UserTarget } from '#contract/actor.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import { type passwordResets, resetLifetime } from '#contract/password-reset/password-reset.ts'
import { can } from '#contract/permissions.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { isKnownTo, knownBrowser } from '#server/credentials/known-browser.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { askerKey } from '#server/platform/limits/known-browsers.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { Problem } from '#server/platform/problem.ts'
import { findPersonForUpdate, type ResetPerson, selectKnownFrom } from './password-reset.repository.ts'
import { sendReset } from './send-reset.ts'

type Context = RequestContext<typeof passwordResets.request>

/**
 * Mails a link to choose a new password. An admin of this person gets an error when that is not possible. All others get
 * the same answer after the same work, whether or not the person exists.
 */
export async function requestReset(context: Context): Promise<undefined> {
  const { actor } = context
  if (actor && can(actor, 'administerUser') && (await sendForAdmin(context, actor.accountId))) return undefined
  await sendForAnybody(context)
  return undefined
}

/** @returns true if the actor is an admin of this person, and the mail was queued */
async function sendForAdmin(context: Context, adminId: string): Promise<boolean> {
  const { input } = context
  const requests: LimitKey[] = [{ name: 'resetRequestAccount', key: `${input.email} ${adminId}` }]
  const { result } = await withAttemptLimit(context, requests, () =>
    context.transact(async (trx, audit) => {
      const person = await findPersonForUpdate(trx, input.email)
      if (!person || !mayAskFor(context, person)) return false
      // How somebody signs in who also belongs elsewhere is told to that person alone, by the mail.
      if (!isLocal(person.loginMethod) && context.actor && can(context.actor, 'readPersonalDetails', targetOf(person)))
        throw new Problem(409, 'passwordNotForMethod')
      if (person.pending) throw new Problem(409, 'userPending')
      audit(eventOf(person, input.email, administered(context, person)))
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
  const { db, input, actor, limits, now } = context
  const { found } = await limits.takeWith(
    db,
    [{ name: 'resetRequest', key: askerKey(context, input.email) }],
    now,
    selectKnownFrom(input.email),
  )
  const work = () =>
    context.transact(async (trx, audit) => {
      const person = await findPersonForUpdate(trx, input.email)
      // An event is visible to admins of the actor's organisations, who must not learn whether the address has an account.
      audit(eventOf(actor ? undefined : person, input.email))
      await sendReset(context, trx, {
        person,
        email: input.email,
        hours: resetLifetime.byAnybody,
        byAdmin: false,
        language: detectLanguage(context.http.request),
      })
    })
  const { request } = context.http
  const owner = { email: input.email, browsersKnownFrom: found?.browsersKnownFrom ?? null }
  const browser = isKnownTo(request, context, owner) ? knownBrowser(request, context, input.email) : undefined
  // Who asks all day uses up none of the owner's own.
  const requests: LimitKey[] = [
    { name: 'resetRequestAccount', key: browser === undefined ? input.email : `${input.email} ${browser}` },
    { name: 'resetRequestTotal', key: input.email },
  ]
  await withAttemptLimit(context, requests, work).catch((error: unknown) => {
    // Hide the limit of the account: it would reveal that the account exists.
    if (!(error instanceof Problem && error.status === 429)) throw error
  })
}

const mayAskFor = ({ actor }: Context, person: ResetPerson) =>
  actor !== undefined && can(actor, 'administerUser', targetOf(person))

const targetOf = ({ accountId, operates, organizationIds }: ResetPerson): UserTarget => ({
  accountId,
  operates,
  organizationIds,
  services: [],
})

/** The organisations of the person for which the actor asks: others must not learn it. */
function administered({ actor }: Context, { organizationIds }: ResetPerson): readonly string[] {
  return organizationIds.filter((organizationId) => actor && can(actor, 'helpPeople', { organizationId }))
}

const eventOf = (
  person: ResetPerson | undefined,
  email: string,
  organizationIds: readonly string[] | undefined = person?.organizationIds,
): AuditEntry => ({
  name: 'requestPasswordReset',
  target: { id: person?.accountId ?? null, label: email },
  ...(organizationIds && { organizationIds }),
})
