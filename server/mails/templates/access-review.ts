import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface AccessReviewMail {
  firstName: string | null
  organizationId: string
  organizationName: string
  /** For the admins it begins or waits; somebody else is asked for these services. */
  state: 'begins' | 'waits' | 'asked'
  services: string | null
}

const texts = { begins: 'mailReviewBegins', waits: 'mailReviewWaits', asked: 'mailReviewAsked' } as const

export const accessReview: Template<AccessReviewMail> = (
  { firstName, organizationId, organizationName, state, services },
  { text, greeting, portal },
) => ({
  subject: text('mailReviewSubject', { organizationName }),
  preview: text(texts[state], { organizationName, services: services ?? '' }),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text(texts[state], { organizationName, services: services ?? '' })),
    { kind: 'button', label: text('mailReviewOpen'), link: `${portal.baseUrl}/access-reviews/${organizationId}` },
    note(text(state === 'asked' ? 'mailReviewAskedWhy' : 'mailReviewWhy')),
  ],
})
