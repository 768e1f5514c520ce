/** Text for HTML, in elements and in quoted attributes. */
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** HTML that is already escaped. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | undefined | false | readonly Part[]

const render = (part: Part): string => {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(render).join('')
}

/** A template tag that escapes its values, except for `Html`; undefined and false render nothing. */
export const html = (texts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: texts.map((text, index) => text + render(values[index])).join(''),
})
