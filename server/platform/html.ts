/** Text for HTML, in elements and in quoted attributes. */
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** HTML that may be put into a page as it is. */
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

/** A template whose values are escaped, unless they are HTML themselves; undefined and false leave nothing. */
export const html = (texts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: texts.map((text, index) => text + render(values[index])).join(''),
})
