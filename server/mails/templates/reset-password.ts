import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface ResetPassword {
  firstName: string | null
  /** An administrator requested it, not the person. */
  byAdmin: boolean
  link: string
  /** ISO 8601 */
  expiresAt: string
}

export const resetPassword: Template<ResetPassword> = (values, { text, greeting, dateTime }) => {
  const { firstName, byAdmin, link, expiresAt } = values
  const expires = text('mailLinkExpires', { moment: dateTime(expiresAt) })
  return {
    subject: text('mailResetSubject'),
    preview: expires,
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text(byAdmin ? 'mailResetRequestedByAdmin' : 'mailResetRequested')),
      { kind: 'button', label: text('mailChoosePassword'), link },
      note(expires),
      note(byAdmin ? text('mailNeverAsk') : text('mailResetUnexpected')),
    ],
  }
}
