import { loginMethods } from '#contract/login-methods.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Language } from '#contract/roles.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import { type Html, html } from '#server/platform/html.ts'
import { translate } from '#server/platform/messages/texts.ts'
import type { OwnData } from './collect-data.repository.ts'
import { dataSections, propertyNames, sectionHeadings } from './data-sections.ts'

const style = `
  body { margin: 2rem auto; max-inline-size: 60rem; padding-inline: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
  h2 { margin-block: 2.5rem 0.5rem; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 0.875rem; }
  th, td { padding: 0.375rem 1rem 0.375rem 0; border-block-end: 1px solid #8886; text-align: start; vertical-align: top; }
  th { font-weight: 600; }
  thead ~ tbody td:first-child { white-space: nowrap; }`

const values: Partial<Record<string, MessageKey>> = {
  ...Object.fromEntries(Object.entries(loginMethods).map(([method, { label }]) => [method, label])),
  regular: 'roleRegular',
  organizationAdmin: 'roleOrganizationAdmin',
  serviceAdmin: 'roleServiceAdmin',
}
/** The properties that hold one of those. */
const named = ['loginMethod', 'role']

interface Change {
  property: string
  previousValue: unknown
  newValue: unknown
}

/** A copy of a person's data as a page that stands alone, to keep and to print. */
export function dataPage(data: OwnData & { createdAt: string }, language: Language): string {
  const t = (key: MessageKey) => translate(language, key)
  const moments = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Stockholm',
  })

  function show(name: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return '–'
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return moments.format(new Date(text))
    if (name === 'event') return eventName(text)
    return named.includes(name) && values[text] ? t(values[text]) : text
  }
  // Every event has a text of that name; one of another version is shown as it is stored.
  function eventName(text: string): string {
    const key = `event${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
    const translated = translate(language, key as MessageKey)
    return translated === key ? text : translated
  }

  const cell = (name: string, value: unknown) => (name === 'changes' ? changesOf(value as Change[]) : show(name, value))
  const changesOf = (changes: readonly Change[]): Html =>
    html`${changes.map(({ property, previousValue, newValue }) => {
      const before = previousValue === null || previousValue === undefined ? '' : `${show(property, previousValue)} → `
      return html`<div>${heading(property)}: ${before}${show(property, newValue)}</div>`
    })}`
  const heading = (name: string) => (propertyNames[name] ? t(propertyNames[name]) : name)
  const table = (rows: readonly JsonObject[]): Html => {
    const columns = Object.keys(rows[0] ?? {})
    if (rows.length === 1)
      return html`<table>${columns.map((name) => html`<tr><th scope="row">${heading(name)}</th><td>${cell(name, rows[0]?.[name])}</td></tr>`)}</table>`
    return html`<table><thead><tr>${columns.map((name) => html`<th scope="col">${heading(name)}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${columns.map((name) => html`<td>${cell(name, row[name])}</td>`)}</tr>`)}</tbody></table>`
  }
  const sections = dataSections.map((name) => {
    const rows = data[name] ?? []
    return html`<h2>${t(sectionHeadings[name])}</h2>${
      rows.length === 0 ? html`<p>${t('dataNothing')}</p>` : html`<div class="scroll" tabindex="0">${table(rows)}</div>`
    }`
  })
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${t('dataTitle')}</title><style>${{ html: style }}</style></head>
<body><h1>${t('dataTitle')}</h1><p>${translate(language, 'dataMadeAt', { moment: moments.format(new Date(data.createdAt)) })}</p>
${sections}</body></html>`
  return page.html
}
