import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface UserInvite {
  /** Null for the first super user, who is invited to the portal itself. */
  organizationName: string | null
  /** Name or address of the inviter; null when the portal itself or its operator invites. */
  inviterName: string | null
  /** What the inviter wrote. */
  message: string | null
  link: string
  /** ISO 8601 */
  expiresAt: string
}

export const userInvite: Template<UserInvite> = (values, { text, greeting, dateTime, portal }) => {
  const { organizationName, inviterName, message, link, expiresAt } = values
  const name = organizationName ?? portal.companyName
  const invited = inviterName ? text('mailInviteBy', { inviterName, name }) : text('mailInvite', { name })
  return {
    subject: text('mailInviteSubject', { name }),
    heading: text('mailInviteHeading', { name }),
    preview: text('mailInviteWhatToDo'),
    about: 'invitation',
    blocks: [
      paragraph(greeting(null)),
      paragraph(`${invited} ${text('mailInviteWhatToDo')}`),
      ...(message ? [{ kind: 'quote' as const, title: text('mailPersonalMessage'), text: message }] : []),
      { kind: 'button', label: text('mailAcceptInvitation'), link },
      note(text('mailLinkExpires', { moment: dateTime(expiresAt) })),
      note(text('mailInviteUnexpected')),
    ],
  }
}
