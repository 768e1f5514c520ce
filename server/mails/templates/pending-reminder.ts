import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface PendingReminder {
  organizationName: string | null
  /** The invitation's link; null when it has expired. */
  invitation: { link: string /** ISO 8601 */; expiresAt: string } | null
}

export const pendingReminder: Template<PendingReminder> = (values, { text, greeting, dateTime, portal }) => {
  const { organizationName, invitation } = values
  const pending = text('mailPending', { name: organizationName ?? portal.companyName })
  return {
    subject: text('mailPendingSubject'),
    preview: pending,
    about: 'invitation',
    blocks: [
      paragraph(greeting(null)),
      paragraph(pending),
      ...(invitation
        ? [
            { kind: 'button' as const, label: text('mailAcceptInvitation'), link: invitation.link },
            note(text('mailLinkExpires', { moment: dateTime(invitation.expiresAt) })),
          ]
        : [paragraph(text('mailPendingExpired'))]),
    ],
  }
}
