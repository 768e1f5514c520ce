import { paragraph, type Template } from '#server/mails/template.ts'

export interface SignInToCheck {
  /** Of the super user, or admin, who gets the mail. */
  firstName: string | null
  /** What a set-up link was used for: a draft that was handed in, or a token for the directory; or a new certificate in watched metadata. */
  what: 'draft' | 'directory' | 'certificate'
  /** Of the organisation, or of the configuration. */
  name: string
  /** Where it is decided, on our origin. */
  path: string
}

const texts = {
  draft: { subject: 'mailSetupHandedInSubject', body: 'mailSetupHandedIn', button: 'mailOpenSetup' },
  certificate: { subject: 'mailNewCertificateSubject', body: 'mailNewCertificate', button: 'mailOpenSamlConfig' },
  directory: { subject: 'mailSetupDirectorySubject', body: 'mailSetupDirectory', button: 'mailOpenDirectory' },
} as const

export const signInToCheck: Template<SignInToCheck> = (values, { text, greeting, portal }) => {
  const { firstName, what, name, path } = values
  const { subject, body, button } = texts[what]
  return {
    subject: text(subject, { name }),
    preview: name,
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text(body, { name })),
      { kind: 'button', label: text(button), link: `${portal.baseUrl}${path}` },
    ],
  }
}
