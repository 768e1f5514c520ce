const widest = 76

/**
 * Plain text as `format=flowed` (RFC 3676): lines of at most 76 characters, so that nobody has to scroll sideways, which
 * a program that knows the format joins again to fit its window. Words are not broken: an address stays whole.
 *
 * @param text lines of any length, apart by `\n`; those that begin with `>` are quoted
 */
export const flowedText = (text: string): string => text.split('\n').flatMap(flowed).join('\n')

function flowed(line: string): string[] {
  // The mark of a signature ends with a space and does not flow (4.3).
  if (line === '-- ') return [line]
  const quote = /^>*/.exec(line)?.[0] ?? ''
  const said = line
    .slice(quote.length)
    .replace(quote === '' ? /^$/ : /^ /, '')
    .trimEnd()
  // A space that the reader's program takes away again: after the marks of a quotation, and before what would else
  // look like one, like the end of a flowed line, or like the first line of a mail (4.4).
  const before = quote !== '' || /^( |From )/.test(said) ? `${quote} ` : ''
  const lines = wrapped(said, widest - before.length)
  // A space at the end says that the next line belongs to this one (4.2).
  return lines.map((part, index) => (index < lines.length - 1 ? `${before}${part} ` : `${before}${part}`))
}

/** Cut between words; a word that is longer than the line has a line of its own. */
function wrapped(text: string, width: number): string[] {
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
