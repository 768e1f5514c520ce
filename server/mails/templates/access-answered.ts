import { paragraph, type Template } from '#server/mails/template.ts'

export interface AccessAnswered {
  firstName: string | null
  organizationName: string
  serviceName: string
  /** Null when access was given. */
  refusedBecause: string | null
}

export const accessAnswered: Template<AccessAnswered> = (values, { text, greeting, portal }) => {
  const { firstName, organizationName, serviceName, refusedBecause } = values
  const names = { organizationName, serviceName }
  return {
    subject: text(refusedBecause ? 'mailAccessRefusedSubject' : 'mailAccessGrantedSubject', names),
    preview: text(refusedBecause ? 'mailAccessRefused' : 'mailAccessGranted', names),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text(refusedBecause ? 'mailAccessRefused' : 'mailAccessGranted', names)),
      ...(refusedBecause ? [{ kind: 'quote' as const, title: text('refusalReason'), text: refusedBecause }] : []),
      { kind: 'button', label: text('mailOpenPortal'), link: portal.baseUrl },
    ],
  }
}
