import { paragraph, type Template } from '#server/mails/template.ts'

export interface ScimTokenEnds {
  firstName: string | null
  organizationId: string
  organizationName: string
  /** Of the token. */
  name: string
  /** ISO 8601 */
  expiresAt: string
}

export const scimTokenEnds: Template<ScimTokenEnds> = (values, { text, greeting, dateTime, portal }) => {
  const { firstName, organizationId, organizationName, name, expiresAt } = values
  const about = { organizationName, name, moment: dateTime(expiresAt) }
  return {
    subject: text('mailScimTokenEndsSubject', about),
    preview: dateTime(expiresAt),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailScimTokenEnds', about)),
      paragraph(text('mailScimTokenEndsWhatToDo')),
      {
        kind: 'button',
        label: text('mailOpenDirectory'),
        link: `${portal.baseUrl}/organization-directory/${organizationId}`,
      },
    ],
  }
}
