import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface LoginCode {
  firstName: string | null
  /** Six digits. */
  code: string
  /** The lifetime of the code; minutes are independent of the time zone. */
  minutes: number
}

type Formatter = Parameters<Template<LoginCode>>[1]
type Texts = Record<'subject' | 'enter' | 'expires' | 'unexpected', string>

// Keep the code out of subject and preview, which appear on locked screens and in mail server logs.
const withCode = ({ firstName, code }: LoginCode, { greeting }: Formatter, texts: Texts) => ({
  subject: texts.subject,
  preview: texts.expires,
  about: 'account' as const,
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(texts.enter),
    { kind: 'code' as const, code },
    note(texts.expires),
    note(texts.unexpected),
  ],
})

export const loginCode: Template<LoginCode> = (values, formatter) => {
  const { text } = formatter
  return withCode(values, formatter, {
    subject: text('mailCodeSubject'),
    enter: text('mailCodeEnter'),
    expires: text('mailCodeExpires', { minutes: values.minutes }),
    unexpected: text('mailCodeUnexpected'),
  })
}

/** Of somebody who is signed in and confirms who they are. */
export const confirmCode: Template<LoginCode> = (values, formatter) => {
  const { text } = formatter
  return withCode(values, formatter, {
    subject: text('mailConfirmCodeSubject'),
    enter: text('mailConfirmCodeEnter'),
    expires: text('mailConfirmCodeExpires', { minutes: values.minutes }),
    unexpected: text('mailConfirmCodeUnexpected'),
  })
}
