import { paragraph, type Template } from '#server/mails/template.ts'

export interface NoSeatLeft {
  /** The inviter's first name. */
  firstName: string | null
  /** Name or address of the person who accepted. */
  name: string
  organizationName: string
  /** The services that had no seat left. */
  services: readonly string[]
}

export const noSeatLeft: Template<NoSeatLeft> = (values, { text, greeting, portal }) => {
  const { firstName, name, organizationName, services } = values
  return {
    subject: text('mailNoSeatSubject', { name }),
    preview: services.join(', '),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailNoSeat', { name, organizationName })),
      { kind: 'list', items: services.map((title) => ({ title })) },
      paragraph(text('mailNoSeatWhatToDo')),
      { kind: 'button', label: text('mailOpenUserAdministration'), link: `${portal.baseUrl}/user-administration` },
    ],
  }
}
