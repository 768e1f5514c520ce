import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface NumberProvenElsewhere {
  firstName: string | null
  /** This account had proven it too, and keeps it as a claim. */
  keeps: boolean
  /** ISO 8601 */
  at: string
}

export const numberProvenElsewhere: Template<NumberProvenElsewhere> = (
  values,
  { text, greeting, dateTime, portal },
) => {
  const { firstName, keeps, at } = values
  const moment = dateTime(at)
  return {
    subject: text(keeps ? 'mailNumberNotConfirmedSubject' : 'mailNumberRemovedSubject'),
    preview: text(keeps ? 'mailNumberNotConfirmedWhatToDo' : 'mailNumberRemovedWhatToDo'),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text(keeps ? 'mailNumberNotConfirmed' : 'mailNumberRemoved', { moment })),
      paragraph(text(keeps ? 'mailNumberNotConfirmedWhatToDo' : 'mailNumberRemovedWhatToDo')),
      { kind: 'button', label: text('mailSeeAccount'), link: `${portal.baseUrl}/account` },
      note(text('mailDetailsUnexpected')),
    ],
  }
}
