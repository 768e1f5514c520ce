import type { Language } from '#contract/languages.ts'
import { isLocal } from '#contract/user-forms.ts'
import type { Db } from '#server/platform/database.ts'
import { newId } from '#server/platform/ids.ts'
import { issue, revokeAll } from '#server/platform/one-time.ts'
import type { Message } from '#server/platform/outbox.ts'
import type { System } from '#server/platform/system.ts'
import { mailMessage } from '../email-templates/email-templates.ts'
import { findWaitingInvitation } from '../invitations/invitations.ts'
import { type ResetPerson, withdrawResetMails } from './password-reset.repository.ts'

/** What a reset link is good for; its subject is the account. */
export const resetPurpose = 'passwordReset'

interface ResetMail {
  person: ResetPerson | undefined
  /** As it was asked for. */
  email: string
  hours: number
  byAdmin: boolean
  /** For somebody who has not chosen one. */
  language: Language
}

interface Post extends Pick<System, 'config' | 'keys' | 'outbox'> {
  now: Date
}

/**
 * Queues the mail with a new link; earlier links stop working. Where there is nobody to write to, the same is done with
 * a token that nobody gets and a mail that is too late to be sent: the time that a request takes tells nothing.
 */
export async function sendReset(post: Post, db: Db, request: ResetMail): Promise<void> {
  const { config, outbox, now } = post
  const { person, email, hours, byAdmin } = request
  const entitled = person && isLocal(person.loginMethod) && !person.pending && (byAdmin || person.passiveAt === null)
  const thing = { purpose: resetPurpose, subject: entitled ? person.accountId : newId() }
  const expiresAt = new Date(now.getTime() + hours * 3600_000)
  await revokeAll(db, thing, now)
  await withdrawResetMails(db, thing.subject, now)
  const token = await issue(db, { ...thing, now, expiresAt })
  const to = person ? { address: person.email, accountId: person.accountId } : { address: email }
  const language = person?.preferredLanguage ?? request.language
  const firstName = person?.firstName ?? null
  const unsent = { uselessAfter: new Date(0) }
  // Asked for whoever it is, so that it takes the same time.
  const waiting = await findWaitingInvitation(post, db, person?.accountId ?? newId())

  const mail = (): Message => {
    if (person && !entitled && !person.pending && person.passiveAt !== null)
      return mailMessage({
        template: 'refused-passive',
        to,
        language,
        values: { firstName, organizationNames: person.organizationNames, at: now.toISOString() },
      })
    if (person?.pending && !person.awaited)
      return {
        ...mailMessage({
          template: 'pending-reminder',
          to,
          language,
          values: {
            organizationName: waiting ? waiting.organizationName : (person.organizationNames[0] ?? null),
            invitation: waiting ? { link: waiting.link, expiresAt: waiting.expiresAt.toISOString() } : null,
          },
        }),
        ...(waiting ? { uselessAfter: waiting.expiresAt } : {}),
      }
    if (person && !isLocal(person.loginMethod))
      return mailMessage({
        template: 'no-password',
        to,
        language,
        values: { firstName, loginMethod: person.loginMethod === 'bankid' ? 'bankid' : 'saml' },
      })
    const link = `${config.baseUrl}/reset-password/${token}`
    return {
      ...mailMessage({
        template: 'reset-password',
        to,
        language,
        values: { firstName, byAdmin, link, expiresAt: expiresAt.toISOString() },
      }),
      ...(entitled ? { uselessAfter: expiresAt } : unsent),
    }
  }
  await outbox.mail(db, mail())
}
