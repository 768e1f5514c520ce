import { paragraph, type Template } from '#server/mails/template.ts'

export interface TestMail {
  /** Of the super user who asked for it. */
  firstName: string | null
}

export const testMail: Template<TestMail> = ({ firstName }, { text, greeting, portal }) => ({
  subject: text('mailTestSubject'),
  preview: text('mailTest'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailTest')),
    { kind: 'button', label: text('mailOpenSystem'), link: `${portal.baseUrl}/system` },
  ],
})
