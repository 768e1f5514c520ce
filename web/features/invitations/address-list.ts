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
  const comma = name.indexOf(',')
  if (comma !== -1) return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() }
  const words = name.trim().split(/\s+/)
  const parts = (firstNameAt: number, lastNameAt: number) => {
    const [from, to] = [words.slice(firstNameAt), words.slice(lastNameAt)]
    return firstNameAt === 0
      ? { firstName: words.slice(0, lastNameAt).join(' '), lastName: to.join(' ') }
      : { firstName: from.join(' '), lastName: words.slice(0, firstNameAt).join(' ') }
  }
  if (words.length < 2) return { firstName: name.trim(), lastName: '' }
  const local = plain(email.split('@')[0] ?? '')
  const begins = (at: number) => local.startsWith(plain(words[at] ?? ''))
  const last = words.length - 1
  // The first name from here on: the address begins with it, and has the name before it later or not at all.
  const given = words.findIndex(
    (_, at) => at > 0 && begins(at) && (at === last || local.includes(plain(words[0] ?? ''))),
  )
  if (given > 0 && !begins(0)) return parts(given, 0)
  const particle = words.findIndex((word, at) => at > 0 && at < last && particles.test(word))
  return parts(0, particle > 0 ? particle : last)
}

/** What a last name begins with: `von Post`, `de la Gardie`. */
const particles =
  /^(?:von|van|af|av|de|der|den|du|des|del|della|di|da|dos|la|le|ten|ter|vom|zu|zur|al|el|bin|ibn|d['’])$/i

/** As it would stand in an address: without marks. */
const plain = (text: string) => text.normalize('NFD').toLowerCase().replaceAll(/\p{M}/gu, '')
