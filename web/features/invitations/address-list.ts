import { bareAddress } from '#contract/fields/as-written.ts'
import type { PastedRow } from '#contract/invitations/bulk-invitations.ts'

/** Someone in the line of recipients of a mail, and where in the text. */
export interface Recipient {
  row: PastedRow
  line: number
  start: number
  end: number
}

/**
 * Reads recipients as Outlook and Gmail write them: `Öberg Åsa <asa@x.se>; Ek Bo <bo@x.se>`, or addresses alone, several in
 * a line. Undefined for a text that has one address in each line at most, and no address in angle brackets: a table.
 */
export function readRecipients(text: string): Recipient[] | undefined {
  const bare = withoutQuoted(text)
  const lines = bare.split(/\r\n|\r|\n/)
  // Each part has an address: a table of people has other cells beside theirs.
  const isList = (line: string) => /<[^<>\s]+@[^<>\s]+>/.test(line) || partsOf(line, bare).length > 1
  const rest = (line: string) => partsOf(line, bare).every((part) => part.includes('@'))
  if (!lines.some((line) => isList(line) && rest(line)) || !lines.every(rest)) return undefined
  const separators = bare.includes(';') ? /[;\r\n]/g : /[,;\r\n]/g
  const ends = [...bare.matchAll(separators)].map(({ index }) => index)
  return [...ends, text.length].flatMap((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1
    const written = text.slice(start, end)
    if (written.trim() === '') return []
    const line = text.slice(0, start).split(/\r\n|\r|\n/).length
    return [{ row: { ...readRecipient(written.trim()), services: [], userRole: '' }, line, start, end }]
  })
}

/** Separators inside quotes do not count; the positions stay. */
const withoutQuoted = (text: string) => text.replaceAll(/"[^"\r\n]*"/g, (quoted) => '·'.repeat(quoted.length))

const partsOf = (line: string, all: string) =>
  line.split(all.includes(';') ? ';' : /[,;]/).filter((part) => part.trim() !== '')

function readRecipient(written: string) {
  const [, name, address] = /^(.*?)<([^<>]*)>$/s.exec(written) ?? [undefined, '', written]
  const email = bareAddress(address ?? '')
  return { email, ...readName((name ?? '').trim().replace(/^["'](.*)["']$/s, '$1'), email) }
}

/**
 * The parts of a whole name: `Öberg, Åsa`, or `Åsa Öberg`. Directories write the last name first without a comma, too: then the
 * address tells, if it begins with one of the two.
 */
export function readName(name: string, email: string): Pick<PastedRow, 'firstName' | 'lastName'> {
  const [before = '', after] = name.split(',', 2).map((part) => part.trim())
  if (after !== undefined) return { firstName: after, lastName: before }
  const words = before.split(/\s+/)
  if (words.length < 2) return { firstName: before, lastName: '' }
  const local = plain(email)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (local.startsWith(plain(last)) && !local.startsWith(plain(first)))
    return { firstName: last, lastName: words.slice(0, -1).join(' ') }
  return { firstName: words.slice(0, -1).join(' '), lastName: last }
}

/** As it would stand in an address: without marks. */
const plain = (text: string) => text.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '')
