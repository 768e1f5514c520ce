import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface OwnDataReady {
  firstName: string | null
  /** ISO 8601 */
  expiresAt: string
}

export const ownDataReady: Template<OwnDataReady> = (
  { firstName, expiresAt },
  { text, greeting, dateTime, portal },
) => ({
  subject: text('mailOwnDataSubject'),
  preview: text('mailOwnDataReady'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailOwnDataReady')),
    paragraph(text('mailOwnDataUntil', { moment: dateTime(expiresAt) })),
    { kind: 'button', label: text('mailOwnDataOpen'), link: `${portal.baseUrl}/account` },
    note(text('mailOwnDataUnexpected')),
  ],
})
