import { type LoginMethodWithoutPassword, loginMethods } from '#contract/login-methods.ts'
import { paragraph, type Template } from '#server/mails/template.ts'

export interface NoPassword {
  firstName: string | null
  /** How this person signs in instead. */
  loginMethod: LoginMethodWithoutPassword
}

export const noPassword: Template<NoPassword> = ({ firstName, loginMethod }, { text, greeting, portal }) => ({
  subject: text('mailNoPasswordSubject'),
  preview: text(loginMethods[loginMethod].noPassword.mail),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailNoPassword')),
    paragraph(text(loginMethods[loginMethod].noPassword.mail)),
    { kind: 'button', label: text('mailSignIn'), link: portal.baseUrl },
  ],
})
