import { fallbackLanguage } from '#contract/roles.ts'
import { mailPortal, renderMail } from '#server/mails/mails.ts'
import { newId } from '#server/platform/ids.ts'
import { MailFailure } from '#server/platform/messages/mailer.ts'
import { createMailerFromSettings } from '#server/platform/messages/mailer-from-settings.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session, System } from '#server/platform/system.ts'

const timeoutMs = 20_000

interface Context extends Pick<System, 'config' | 'clock' | 'quarantine'> {
  session: Session
}

/** Sends a mail to the caller directly, without the queue, and returns what the mail server answered. */
export async function sendTestMail({ config, clock, quarantine, session }: Context) {
  if (quarantine.isActive()) throw new Problem(409, 'outgoingQuarantine')
  const { email, firstName, preferredLanguage } = session.user
  const language = preferredLanguage ?? fallbackLanguage
  const mail = renderMail({ template: 'test-mail', language, values: { firstName }, portal: mailPortal(config) })
  const mailer = createMailerFromSettings(config, clock)
  try {
    await mailer.send({ ...mail, id: newId(), to: email, language, signal: AbortSignal.timeout(timeoutMs) })
    return { sent: true, reason: null }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { sent: false, reason: [error.message, error.answer].filter(Boolean).join(': ') }
  } finally {
    await mailer.close()
  }
}
