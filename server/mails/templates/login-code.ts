import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface LoginCode {
  firstName: string | null
  /** Six digits. */
  code: string
  /** The lifetime of the code; minutes are independent of the time zone. */
  minutes: number
}

// Keep the code out of subject and preview, which appear on locked screens and in mail server logs.
export const loginCode: Template<LoginCode> = ({ firstName, code, minutes }, { text, greeting }) => {
  const expires = text('mailCodeExpires', { minutes })
  return {
    subject: text('mailCodeSubject'),
    preview: expires,
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailCodeEnter')),
      { kind: 'code', code },
      note(expires),
      note(text('mailCodeUnexpected')),
    ],
  }
}
