import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface MembershipAdded {
  firstName: string | null
  organizationName: string
  /** Name or address of the user who added the person. */
  inviterName: string | null
  /** What the inviter wrote. */
  message: string | null
}

export const membershipAdded: Template<MembershipAdded> = (values, { text, greeting, portal }) => {
  const { firstName, organizationName, inviterName, message } = values
  const added = inviterName
    ? text('mailMemberBy', { inviterName, organizationName })
    : text('mailMember', { organizationName })
  return {
    subject: text('mailMemberSubject', { organizationName }),
    preview: text('mailMemberWhatToDo'),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(added),
      ...(message ? [{ kind: 'quote' as const, title: text('mailPersonalMessage'), text: message }] : []),
      paragraph(text('mailMemberWhatToDo')),
      { kind: 'button', label: text('mailOpenPortal'), link: portal.baseUrl },
      note(text('mailMemberUnexpected')),
    ],
  }
}
