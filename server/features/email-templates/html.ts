/** Markup that is safe to put into a page: only the functions of this file make it. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Html[] | undefined

/**
 * Markup with values in it. A value that is a text enters escaped, for element content and quoted attributes alike;
 * there is no way to let it in as it is.
 */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.reduce((markup, string, index) => markup + asMarkup(parts[index - 1]) + string),
})

function asMarkup(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A text of several lines. */
export const lines = (text: string): Html => ({ markup: text.split('\n').map(escaped).join('<br>') })

/**
 * An address for a link.
 *
 * @throws TypeError for anything but http and https: `javascript:` and its like never become a link
 */
export function webAddress(text: string): string {
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError(`${url.protocol} is not a web address`)
  return url.href
}
