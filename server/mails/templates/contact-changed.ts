import type { MessageKey } from '#contract/message-key.ts'
import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface ContactChanged {
  firstName: string | null
  /** Which details; never their values. */
  changed: readonly ('email' | 'ssn' | 'phoneNumber' | 'password' | 'portalRole')[]
  byAdmin: boolean
  /** ISO 8601 */
  at: string
  /** Closes the account, and undoes the change. */
  link: string
}

const names = {
  email: 'email',
  ssn: 'mailDetailSsn',
  phoneNumber: 'mailDetailPhoneNumber',
  password: 'mailDetailPassword',
  portalRole: 'portalRole',
} as const satisfies Record<ContactChanged['changed'][number], MessageKey>

export const contactChanged: Template<ContactChanged> = (values, { text, greeting, dateTime }) => {
  const { firstName, changed, byAdmin, at, link } = values
  const items = changed.map((detail) => ({ title: text(names[detail]) }))
  return {
    subject: text('mailDetailsSubject'),
    preview: items.map(({ title }) => title).join(', '),
    about: 'account',
    blocks: [
      paragraph(greeting(firstName)),
      paragraph(text('mailDetailsChanged', { moment: dateTime(at) })),
      { kind: 'list', items },
      paragraph(byAdmin ? text('mailDetailsByAdmin') : text('mailNothingToDo')),
      paragraph(text('mailNotMe')),
      { kind: 'button', label: text('mailNotMeButton'), link },
      note(text('mailDetailsUnexpected')),
    ],
  }
}
