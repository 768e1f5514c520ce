import type { OrganizationRole } from '#contract/roles.ts'
import {
  addressKinds,
  beginnings,
  fillers,
  type HeaderName,
  headerWords,
  privateBeginnings,
  privateWords,
  roleWords,
} from './column-words.ts'

/** The order of the columns when the list has no header. */
export const columns = ['email', 'firstName', 'lastName', 'services', 'userRole'] as const
export type ColumnName = Exclude<HeaderName, Exclude<(typeof addressKinds)[number], 'email'>>

const lookup = <Name extends string>(names: Record<Name, string>) =>
  new Map(
    (Object.entries(names) as [Name, string][]).flatMap(([name, words]) =>
      words.split(' ').map((word): [string, Name] => [word, name]),
    ),
  )

const headerByWord = lookup(headerWords)
const roleByWord = lookup(roleWords)

/** Lower case, letters only: `e-post` becomes `epost`. */
const folded = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

/** What a header names; undefined when it is unknown. */
function named(header: string): HeaderName | undefined {
  // Entra: `User name [userPrincipalName] Required`. Google Workspace: `Email Address [Required]`.
  const inner = /\[([^\]]*)\]/.exec(header)?.[1]
  if (inner !== undefined) return named(inner) ?? named(header.replace(/\[[^\]]*\]/, ' '))
  // `Employee #` is no name.
  if (header.includes('#')) return undefined
  const whole = headerByWord.get(folded(header))
  if (whole) return whole
  // `Work email`, `E-post (arbete)`, `E-mail 1 - Value`: an abbreviation, or a hyphen within a word, stays together.
  const words = header.split(/[\s()/:_,;]+|(?<![Ee])-|\s-\s|(?<=[a-zåäö])(?=[A-ZÅÄÖ])/u).map(folded)
  const telling = words.filter((word) => word !== '' && !fillers.has(word))
  const work = telling.filter((word) => !privateWords.test(word)).join('')
  const found =
    headerByWord.get(work) ??
    headerByWord.get(work.replace(beginnings, '')) ??
    headerByWord.get(work.replace(privateBeginnings, ''))
  const isPrivate = telling.some((word) => privateWords.test(word)) || privateBeginnings.test(work)
  if (!isPrivate) return found ?? (isNames(header, telling) ? 'name' : undefined)
  return found === 'email' ? 'privateEmail' : undefined
}

/** `Efternamn, förnamn`, `Last name, first name`: both in one column. */
const isNames = (header: string, words: readonly string[]) => {
  const parts = header.split(/[,/&+]|\s(?:och|and|ja|et)\s/).map(folded)
  return [parts, words].some((each) => {
    const kinds = each.map((word) => headerByWord.get(word))
    return kinds.includes('firstName') && kinds.includes('lastName')
  })
}

/**
 * The columns that the cells of a header name, each at most once; undefined where a cell names none. Of several addresses it is the
 * one at work, and of the whole name and its parts, the parts.
 *
 * @param hasAddress whether the column in this place has an address in it
 */
export function columnsOf(
  header: readonly string[],
  hasAddress: (place: number) => boolean,
): (ColumnName | undefined)[] {
  const names = header.map(named)
  const places = [...names.keys()]
  const address =
    addressKinds
      .map((kind) => places.find((at) => names[at] === kind && hasAddress(at)))
      .find((at) => at !== undefined) ??
    // Whatever its name is: the column of addresses.
    (names.some(Boolean) ? places.find(hasAddress) : undefined) ??
    names.indexOf('email')
  // French: `Nom` beside `Prénom` is the last name, alone it is the whole one.
  const aloneNom =
    !names.includes('firstName') && !names.includes('name') && header.findIndex((cell) => folded(cell) === 'nom')
  const parts = names.includes('firstName') && names.includes('lastName')
  const hasWhole = !parts && names.includes('name')
  return names.map((name, at) => {
    if (at === address) return 'email'
    if (at === aloneNom) return 'name'
    if (name === undefined || names.indexOf(name) !== at) return undefined
    if (name === 'name' ? parts : hasWhole && (name === 'firstName' || name === 'lastName')) return undefined
    return (addressKinds as readonly string[]).includes(name) ? undefined : (name as ColumnName)
  })
}

/** The role that a word names. An unknown word is passed on, and the server rejects it. */
export const roleOf = (word: string): OrganizationRole | string => roleByWord.get(folded(word)) ?? word.trim()
