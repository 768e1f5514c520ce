import { paragraph, type Template } from '#server/mails/template.ts'

export interface AccessRequested {
  /** The admin's first name. */
  firstName: string | null
  /** Name or address of the person who asks. */
  name: string
  email: string
  organizationName: string
  serviceName: string
}

export const accessRequested: Template<AccessRequested> = (values, { text, greeting, portal }) => {
  const { firstName, name, email, organizationName, serviceName } = values
  return {
    subject: text('mailAccessSubject', { name, serviceName }),
    preview: text('mailAccessWhatToDo'),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailAccess', { name, email, organizationName, serviceName })),
      paragraph(text('mailAccessWhatToDo')),
      { kind: 'button', label: text('mailOpenAccessRequests'), link: `${portal.baseUrl}/access-requests` },
    ],
  }
}
