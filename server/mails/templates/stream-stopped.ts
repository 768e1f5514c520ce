import { paragraph, type Template } from '#server/mails/template.ts'

export interface StreamStopped {
  /** Of the super user who gets the mail. */
  firstName: string | null
  /** The endpoint. */
  streamId: string
  url: string
  /** It answered that it is gone; otherwise it failed for three days. */
  gone: boolean
}

export const streamStopped: Template<StreamStopped> = (values, { text, greeting, portal }) => {
  const { firstName, streamId, url, gone } = values
  return {
    subject: text('mailStreamStoppedSubject'),
    preview: url,
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text(gone ? 'mailStreamGone' : 'mailStreamFailed', { url })),
      paragraph(text('mailStreamStoppedWhatToDo')),
      { kind: 'button', label: text('mailOpenStream'), link: `${portal.baseUrl}/audit-streams/${streamId}` },
    ],
  }
}
