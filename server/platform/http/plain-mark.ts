import { type Html, html } from '../html.ts'

/** The product's mark and name for pages that work without the web app; `plain-page.css` has its colours. */
export const plainMark = (href: string | undefined): Html => {
  const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="wall" width="32" height="32" rx="8"/><path class="arch" d="M8.5 25V14.5a7.5 7.5 0 0 1 15 0V25"/><path class="door" d="M13 25v-9.5a3 3 0 0 1 6 0V25z"/></svg> Vestibule`
  return href === undefined
    ? html`<header class="mark">${mark}</header>`
    : html`<a class="mark" href="${href}">${mark}</a>`
}
