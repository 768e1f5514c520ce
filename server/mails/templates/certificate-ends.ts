import { paragraph, type Template } from '#server/mails/template.ts'

export interface CertificateEnds {
  /** Of the super user who gets the mail. */
  firstName: string | null
  /** The SAML configuration. */
  configId: number
  name: string
  /** ISO 8601 */
  validTo: string
}

export const certificateEnds: Template<CertificateEnds> = (values, { text, greeting, dateTime, portal }) => {
  const { firstName, configId, name, validTo } = values
  return {
    subject: text('mailCertificateEndsSubject', { name }),
    preview: dateTime(validTo),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailCertificateEnds', { name, moment: dateTime(validTo) })),
      paragraph(text('mailCertificateEndsWhatToDo')),
      {
        kind: 'button',
        label: text('mailOpenSamlConfig'),
        link: `${portal.baseUrl}/saml-configuration/${configId}`,
      },
    ],
  }
}
