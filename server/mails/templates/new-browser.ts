import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface NewBrowser {
  firstName: string | null
  /** ISO 8601 */
  at: string
  /** Brands, "Firefox, Windows"; empty where the browser does not say. */
  browser: string
  /** Closes the account to the person who signed in. */
  link: string
}

export const newBrowser: Template<NewBrowser> = ({ firstName, at, browser, link }, { text, greeting, dateTime }) => ({
  subject: text('mailNewBrowserSubject'),
  preview: text('mailNewBrowserPreview'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(text('mailNewBrowser', { moment: dateTime(at) })),
    ...(browser ? [{ kind: 'list' as const, items: [{ title: browser }] }] : []),
    paragraph(text('mailNothingToDo')),
    paragraph(text('mailNotMe')),
    { kind: 'button', label: text('mailNotMeButton'), link },
    note(text('mailNeverAsk')),
  ],
})
