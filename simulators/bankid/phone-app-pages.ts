import { type Html, html } from '#server/platform/html.ts'
import { plainMark } from '#server/platform/http/plain-mark.ts'
import type { Order } from './orders.ts'
import { type Note, type PhoneLanguage, phoneTexts } from './phone-app-texts.ts'
import type { SimulatedPerson } from './progress.ts'
import { type Scenario, scenarios } from './scenarios.ts'

interface View {
  language: PhoneLanguage
  path: string
  note: Note | undefined
  /** The open order. */
  order?: string
  /** The language chosen on the page, kept between steps. */
  lang: string | undefined
}

/** The orders that an app could open. */
export function waitingPage(waiting: readonly Order[], view: View): string {
  const t = phoneTexts[view.language]
  return page(
    view,
    html`<h1>${t.title}</h1>
<p class="intro">${t.intro}</p>
${noteOf(view)}
<section aria-labelledby="waiting">
<h2 id="waiting">${t.waiting}</h2>
<p class="empty" data-empty${waiting.length > 0 && html` hidden`}>${t.nothing}</p>
<ul data-orders>${waiting.map((order) => html`<li>${orderForm(order, view)}</li>`)}</ul>
<template><li>${orderForm(undefined, view)}</li></template>
</section>
<details>
<summary>${t.paste}</summary>
${form(
  view,
  'scan',
  html`<label for="qrData">${t.qrData}</label>
<input id="qrData" name="qrData" required autocomplete="off" spellcheck="false" placeholder="bankid.…">
<button>${t.open}</button>`,
)}
</details>`,
  )
}

/** The form of a waiting order; without an order, a template for the script. */
const orderForm = (order: Order | undefined, view: View) => {
  const t = phoneTexts[view.language]
  const began = order && new Date(order.startedAt).toISOString()
  return form(
    view,
    'pick',
    html`<input type="hidden" name="order" value="${order?.id ?? ''}">
<p class="text">${order?.text ?? t.noText}</p>
<p class="since">${t.since} <time datetime="${began ?? ''}">${order && time(order.startedAt, view.language)}</time></p>
<button class="primary">${t.scan}</button>`,
  )
}

/** The page of an open order, to choose the person and the scenario. */
export function orderPage(order: Order, people: readonly SimulatedPerson[], view: View): string {
  const t = phoneTexts[view.language]
  return page(
    view,
    html`<h1>${t.identify}</h1>
${noteOf(view)}
<p class="visible">${order.text ?? t.noText}</p>
${form(
  view,
  'identify',
  html`<input type="hidden" name="order" value="${order.id}">
<label for="person">${t.who}</label>
<select id="person" name="person">${people.map(
    ({ personalNumber, givenName, surname }) =>
      html`<option value="${personalNumber}">${givenName} ${surname}, ${personalNumber}</option>`,
  )}</select>
<details>
<summary>${t.other}</summary>
<label for="otherNumber">${t.otherNumber}</label>
<input id="otherNumber" name="otherNumber" inputmode="numeric" autocomplete="off" aria-describedby="otherHint">
<p class="hint" id="otherHint">${t.otherHint}</p>
</details>
<label for="scenario">${t.what}</label>
<select id="scenario" name="scenario">${(Object.keys(scenarios) as Scenario[]).map(
    (name) => html`<option value="${name}">${t.scenarios[name]}</option>`,
  )}</select>
<button class="primary">${t.confirm}</button>`,
)}
${form(view, 'cancel', html`<input type="hidden" name="order" value="${order.id}"><button>${t.cancel}</button>`)}
<p><a href="${linkTo(view)}">${t.back}</a></p>`,
  )
}

const page = (view: View, content: Html): string => {
  const t = phoneTexts[view.language]
  const other = view.language === 'sv' ? 'en' : 'sv'
  return html`<!doctype html>
<html lang="${view.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${t.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${view.path}.css">
<script type="module" src="${view.path}.js"></script>
</head>
<body data-path="${view.path}">
${plainMark(undefined)}
<main>
${content}
</main>
<footer><a href="${view.path}?${new URLSearchParams({ ...(view.order ? { order: view.order } : {}), lang: other }).toString()}" lang="${other}">${t.otherLanguage}</a></footer>
</body>
</html>
`.html
}

const linkTo = ({ path, lang }: View) => (lang === undefined ? path : `${path}?lang=${lang}`)

const form = ({ path, lang }: View, action: string, content: Html) => html`<form method="post" action="${path}">
<input type="hidden" name="action" value="${action}">${lang !== undefined && html`<input type="hidden" name="lang" value="${lang}">`}
${content}
</form>`

const noteOf = ({ note, language }: View) =>
  note !== undefined &&
  html`<p class="note ${note === 'done' ? 'ok' : 'bad'}" role="status">${phoneTexts[language][note]}</p>`

const time = (at: number, language: PhoneLanguage) =>
  new Intl.DateTimeFormat(language === 'sv' ? 'sv-SE' : 'en-GB', {
    timeStyle: 'medium',
    timeZone: 'Europe/Stockholm',
  }).format(at)
