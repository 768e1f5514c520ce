import { paragraph, type Template } from '#server/mails/template.ts'

export interface NoPassword {
  firstName: string | null
  /** How this person signs in instead. */
  loginMethod: 'bankid' | 'saml'
}

export const noPassword: Template<NoPassword> = ({ firstName, loginMethod }, { text, greeting, portal }) => ({
  subject: text('mailNoPasswordSubject'),
  preview: text(loginMethod === 'bankid' ? 'mailNoPasswordBankId' : 'mailNoPasswordSaml'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailNoPassword')),
    paragraph(text(loginMethod === 'bankid' ? 'mailNoPasswordBankId' : 'mailNoPasswordSaml')),
    { kind: 'button', label: text('mailSignIn'), link: portal.baseUrl },
  ],
})
