import { note, paragraph, type Template } from '../template.ts'

export interface LoginCode {
  firstName: string | null
  /** Six digits. */
  code: string
  /** How long the code lives: minutes mean the same in every time zone. */
  minutes: number
}

// The code stands in neither subject nor preview: those show on locked screens and in mail servers' logs.
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
