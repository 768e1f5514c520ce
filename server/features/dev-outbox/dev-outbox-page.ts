import type { OutboxMessage } from '#contract/dev-outbox/dev-outbox.ts'
import { dateLocales } from '#contract/languages.ts'
import type { Language } from '#contract/roles.ts'
import { type Html, html } from '#server/platform/html.ts'
import { plainMark } from '#server/platform/http/plain-mark.ts'
import { translate } from '#server/platform/messages/texts.ts'

/** The sent messages as a page without JavaScript. The newest message is expanded. */
export function devOutboxPage(messages: readonly OutboxMessage[], language: Language): string {
  const title = translate(language, 'devOutboxTitle')
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dev/outbox.css">
</head>
<body>
<header>${plainMark('/')}</header>
<main>
<h1>${title}</h1>
<p class="intro">${translate(language, 'devOutboxIntro')}</p>
${messages.length === 0 && html`<p class="empty">${translate(language, 'devOutboxEmpty')}</p>`}
${messages.map((message, index) => messageHtml(message, language, index === 0))}
</main>
</body>
</html>
`.html
}

const messageHtml = (
  { id, kind, to, subject, text, html: body, at }: OutboxMessage,
  language: Language,
  open: boolean,
) =>
  html`<details${open && html` open`}>
<summary><span class="kind ${kind}">${translate(language, kind === 'mail' ? 'devOutboxMail' : 'devOutboxSms')}</span>
<span class="subject">${subject ?? text.split('\n', 1)[0]}</span>
<span class="to">${translate(language, 'devOutboxTo', { to })}</span>
<time datetime="${at}">${time(at, language)}</time></summary>
<div class="parts"><section><h2>${translate(language, 'devOutboxText')}</h2><pre>${withLinks(text)}</pre></section>${
    body !== null &&
    html`<section><h2>${translate(language, 'devOutboxHtml')}</h2><iframe sandbox title="${subject ?? ''}" src="/dev/outbox/${id}" loading="lazy"></iframe></section>`
  }</div>
</details>
`

/** Links do not work inside the sandboxed frame, so list them outside it. */
const withLinks = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`))

const time = (at: string, language: Language) =>
  new Intl.DateTimeFormat(dateLocales[language], {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'Europe/Stockholm',
  }).format(new Date(at))
