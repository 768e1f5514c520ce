import { expect, test } from 'vitest'
import { formatFlowed } from './flowed-text.ts'

const words = 'Åsa har bjudit in dig till Nordvik. '.repeat(9).trim()
const link = `https://portal.vestibule.example/accept-invitation/${'a'.repeat(60)}`

/** Reads format=flowed as a mail program does (RFC 3676, 4.1 to 4.5). */
function read(text: string): string {
  const lines: { quote: string; text: string; open: boolean }[] = []
  for (const line of text.split('\n')) {
    const quote = /^>*/.exec(line)?.[0] ?? ''
    const said = line.slice(quote.length).replace(/^ /, '')
    const open = said.endsWith(' ') && said !== '-- '
    const last = lines.at(-1)
    if (last?.open && last.quote === quote && said !== '-- ') Object.assign(last, { text: last.text + said, open })
    else lines.push({ quote, text: said, open })
  }
  return lines.map(({ quote, text }) => (quote ? `${quote} ${text}`.trimEnd() : text)).join('\n')
}

test.each([
  ['a paragraph', words],
  ['lines of a person', `> ${words}\n>\n> Vi ses.\n\nHej`],
  ['a code that stands in a little', '    048213'],
  ['a signature', `Hej\n\n-- \nVestibule\n${words}`],
  ['a line that begins as a mail does', `From ${words}`],
  ['long indented lines', `  ${words}\n- ${words}`],
])('%s has no line over 76 characters, and is read as it was', (_, text) => {
  const written = formatFlowed(text)
  for (const line of written.split('\n')) expect(line.length).toBeLessThanOrEqual(76)
  expect(read(written)).toBe(text)
})

test('a link stays on one line', () => {
  const written = formatFlowed(`Tacka ja: ${link} ${words}`)
  expect(written.split('\n')).toContain(`${link} `)
  expect(read(written)).toBe(`Tacka ja: ${link} ${words}`)
})
