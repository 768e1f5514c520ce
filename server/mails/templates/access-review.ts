import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface AccessReviewMail {
  firstName: string | null
  organizationName: string
  state: 'begins' | 'waits'
}

export const accessReview: Template<AccessReviewMail> = (
  { firstName, organizationName, state },
  { text, greeting, portal },
) => ({
  subject: text('mailReviewSubject', { organizationName }),
  preview: text(state === 'begins' ? 'mailReviewBegins' : 'mailReviewWaits', { organizationName }),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text(state === 'begins' ? 'mailReviewBegins' : 'mailReviewWaits', { organizationName })),
    { kind: 'button', label: text('mailReviewOpen'), link: `${portal.baseUrl}/access-review` },
    note(text('mailReviewWhy')),
  ],
})
