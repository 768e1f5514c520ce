import { note, paragraph, type Template } from '#server/mails/template.ts'

export interface NewBrowser {
  firstName: string | null
  /** ISO 8601; of a summary when it began. */
  at: string
  /** Brands, "Firefox, Windows"; empty where the browser does not say. */
  browser: string
  /** Of a summary: how often more; null: once. */
  count: number | null
  /** Closes the account to the person who signed in. */
  link: string
}

export const newBrowser: Template<NewBrowser> = (
  { firstName, at, browser, count, link },
  { text, greeting, dateTime },
) => ({
  subject: text('mailNewBrowserSubject'),
  preview: text('mailNewBrowserPreview'),
  about: 'account',
  blocks: [
    paragraph(greeting(firstName)),
    paragraph(
      count === null
        ? text('mailNewBrowser', { moment: dateTime(at) })
        : text('mailNewBrowsers', { moment: dateTime(at), count }),
    ),
    ...(browser ? [{ kind: 'list' as const, items: [{ title: browser }] }] : []),
    paragraph(text('mailNothingToDo')),
    paragraph(text('mailNotMe')),
    { kind: 'button', label: text('mailNotMeButton'), link },
    note(text('mailNeverAsk')),
  ],
})
