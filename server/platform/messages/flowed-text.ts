const maxWidth = 76

/**
 * Formats plain text as `format=flowed` (RFC 3676): lines of at most 76 characters, which mail programs that support the
 * format join again to fit the window. Words are not broken, so URLs stay whole.
 *
 * @param text lines of any length, separated by `\n`; lines that begin with `>` are quoted
 */
export const formatFlowed = (text: string): string => text.split('\n').flatMap(flowed).join('\n')

function flowed(line: string): string[] {
  // The signature separator ends with a space and does not flow (4.3).
  if (line === '-- ') return [line]
  const quote = /^>*/.exec(line)?.[0] ?? ''
  const content = line
    .slice(quote.length)
    .replace(quote === '' ? /^$/ : /^ /, '')
    .trimEnd()
  // Space-stuffing, which the reader's program removes: after quote marks, and before a line that begins with a space or
  // "From " (4.4).
  const prefix = quote !== '' || /^( |From )/.test(content) ? `${quote} ` : ''
  const lines = wrap(content, maxWidth - prefix.length)
  // A trailing space means that the next line continues this one (4.2).
  return lines.map((part, index) => (index < lines.length - 1 ? `${prefix}${part} ` : `${prefix}${part}`))
}

/** Wraps between words; a word longer than a line gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > width) {
    const indent = rest.length - rest.trimStart().length
    const within = rest.lastIndexOf(' ', width - 1)
    const cut = within > indent ? within : rest.indexOf(' ', Math.max(width, indent))
    if (cut === -1) break
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut + 1)
  }
  return [...lines, rest]
}
