import type { Language } from '#contract/languages.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { resetPurpose, revokeResetLinks } from '#server/credentials/reset-links.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import type { Message } from '#server/platform/messages/outbox.ts'
import { issueToken } from '#server/platform/secrets/one-time-tokens.ts'
import type { System } from '#server/platform/system.ts'
import { findWaitingInvitation } from '../invitations/invitations.ts'
import type { ResetPerson } from './password-reset.repository.ts'

interface ResetMail {
  person: ResetPerson | undefined
  /** The requested address. */
  email: string
  hours: number
  byAdmin: boolean
  /** The language for a person who has not chosen one. */
  language: Language
}

interface ResetMailContext extends Pick<System, 'config' | 'keys' | 'outbox'> {
  now: Date
}

/**
 * Queues a mail with a new link and revokes earlier links. If there is no one to write to, does the same work with an
 * unused token and an already expired mail, so that the response time reveals nothing.
 */
export async function sendReset(post: ResetMailContext, db: Db, request: ResetMail): Promise<void> {
  const { config, outbox, now } = post
  const { person, email, hours, byAdmin } = request
  const entitled = person && isLocal(person.loginMethod) && !person.pending && (byAdmin || person.passiveAt === null)
  const thing = { purpose: resetPurpose, subject: entitled ? person.accountId : newId() }
  const expiresAt = new Date(now.getTime() + hours * 3600_000)
  await revokeResetLinks(db, thing.subject, now)
  const token = await issueToken(db, { ...thing, now, expiresAt })
  const to = person ? { address: person.email, accountId: person.accountId } : { address: email }
  const language = person?.preferredLanguage ?? request.language
  const firstName = person?.firstName ?? null
  const unsent = { uselessAfter: new Date(0) }
  // Always look this up, so that every request takes the same time.
  const waiting = await findWaitingInvitation(post, db, email)

  const mail = (): Message => {
    if (person && !entitled && !person.pending && person.passiveAt !== null)
      return mailMessage({
        template: 'refused-passive',
        to,
        language,
        values: { firstName, organizationNames: person.organizationNames, at: now.toISOString() },
      })
    if (waiting && (!person || (person.pending && !person.awaited)))
      return {
        ...mailMessage({ template: 'pending-reminder', to, language, values: waiting }),
        ...(waiting.invitation ? { uselessAfter: new Date(waiting.invitation.expiresAt) } : {}),
      }
    const method = person?.loginMethod
    if (method && !isLocal(method))
      return mailMessage({ template: 'no-password', to, language, values: { firstName, loginMethod: method } })
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
