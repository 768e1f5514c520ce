import type { MessageKey } from '#contract/message-key.ts'
import { note, paragraph, type Template } from '#server/mails/template.ts'

/** What can happen to a second factor, and how the mail says it. */
const sentences = {
  appAdded: 'mailFactorAppAdded',
  appReplaced: 'mailFactorAppReplaced',
  appRemoved: 'mailFactorAppRemoved',
  recoveryCodesMade: 'mailFactorCodesMade',
  recoveryCodesRemoved: 'mailFactorCodesRemoved',
  mailCodesOff: 'mailFactorMailOff',
  mailCodesOn: 'mailFactorMailOn',
  recoveryCodeUsed: 'mailFactorCodeUsed',
} as const satisfies Record<string, MessageKey>
export type FactorChange = keyof typeof sentences

export interface FactorChanged {
  firstName: string | null
  change: FactorChange
  /** ISO 8601 */
  at: string
  /** Closes the account, and undoes what was done to it. */
  link: string
}

export const factorChanged: Template<FactorChanged> = (
  { firstName, change, at, link },
  { text, greeting, dateTime },
) => ({
  subject: text('mailFactorSubject'),
  preview: text('mailNothingToDo'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text(sentences[change], { moment: dateTime(at) })),
    paragraph(text('mailNothingToDo')),
    paragraph(text('mailNotMe')),
    { kind: 'button', label: text('mailNotMeButton'), link },
    note(text('mailNeverAsk')),
  ],
})
