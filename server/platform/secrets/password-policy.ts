import { Problem } from '../problem.ts'
import { commonWords } from './common-passwords.ts'
import type { LeakedPasswords } from './leaked-passwords.ts'

/** The owner of the password: it must not contain what others know about this person. */
export interface PasswordOwner {
  email: string
  firstName?: string | null
  lastName?: string | null
  organizations?: readonly string[]
}

/**
 * Rejects a guessable new password: a common one, a keyboard sequence, or one that contains the owner's name, address or
 * organisation. The schema checks length and composition (contract/fields/password.ts).
 *
 * @param path the field that the message belongs to
 * @throws Problem 422 `validationFailed` with `passwordTooCommon` at the field
 */
export function rejectGuessablePassword(password: string, owner: PasswordOwner, path: string): void {
  if (isCommon(password) || containsOwn(password, owner))
    throw new Problem(422, 'validationFailed', { issues: [{ path, message: 'passwordTooCommon' }] })
}

/**
 * Rejects a password that somebody could guess, or that is known to have leaked.
 *
 * @param path the field that the message belongs to
 * @throws Problem 422 `validationFailed` with `passwordTooCommon` or `passwordLeaked` at the field
 */
export async function rejectWeakPassword(
  { leakedPasswords }: { leakedPasswords: LeakedPasswords },
  password: string,
  owner: PasswordOwner,
  path: string,
): Promise<void> {
  rejectGuessablePassword(password, owner, path)
  if (await leakedPasswords.has(password))
    throw new Problem(422, 'validationFailed', { issues: [{ path, message: 'passwordLeaked' }] })
}

const lookalikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const lettersOf = (text: string) => text.replaceAll(/[^\p{L}]/gu, '')

/** The letters of a password, once without digits and symbols, once with them read as lookalike letters. */
function fold(password: string): string[] {
  const plain = withoutAccents(password)
  const core = plain.replace(/^[^\p{L}]+/u, '').replace(/(?<![^\p{L}])[^\p{L}]+$/u, '')
  const spelled = [...core].map((character) => lookalikes[character] ?? character).join('')
  return [lettersOf(plain), lettersOf(spelled)]
}

/** Sequences: the alphabet, keyboard rows, and keyboard columns downwards, upwards and alternating. */
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaqxswcdevfrbgtnhymjukilop',
  'qazxswedcvfrtgbnhyujmkiolp',
]
const digitRuns = ['01234567890123456789', '98765432109876543210']
/** Words that are also common with one or two extra letters: `mypassword`, `sommaren`. */
const longWords = [...commonWords].filter((word) => word.length >= 6)

function isCommon(password: string): boolean {
  return isDigitRun(password) || fold(password).some(isCommonWord)
}

function isCommonWord(letters: string): boolean {
  const unit = repeatedUnit(letters)
  if (commonWords.has(letters) || commonWords.has(unit)) return true
  if (longWords.some((word) => letters.length <= word.length + 2 && letters.includes(word))) return true
  // A random password may contain few letters; a long sequence or repetition is not random.
  return (letters.length >= 6 && unit.length <= 3) || (unit.length >= 3 && sequences.some((run) => run.includes(unit)))
}

/** Ascending, descending or repeated digits plus the letters that the rules require: `Aa1234567890!`. */
function isDigitRun(password: string): boolean {
  const digits = password.replaceAll(/[^0-9]/g, '')
  if (digits.length < 6 || lettersOf(password).length > 3) return false
  return repeatedUnit(digits).length <= 2 || digitRuns.some((run) => run.includes(digits))
}

/** `abcabc` is `abc`: repetition does not make a password harder to guess. */
const repeatedUnit = (text: string) => text.slice(0, (text + text).indexOf(text, 1))

function containsOwn(password: string, { email, firstName, lastName, organizations = [] }: PasswordOwner): boolean {
  const [mailbox = '', domain = ''] = email.split('@')
  const [first, last] = [firstName ?? '', lastName ?? '']
  const known = [mailbox, ...domain.split('.').slice(0, -1), first, last, ...organizations].map(withoutAccents)
  const words = known.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  const whole = [...known, withoutAccents(first + last), withoutAccents(last + first)].map(lettersOf)
  const folded = fold(password)
  const readings = [withoutAccents(password), ...folded]
  // Short names ("Bo", "Eva", "SJ") occur in too many other words: they are rejected only as the whole password.
  return (
    [...words, ...whole].some((part) => part.length >= 4 && readings.some((reading) => reading.includes(part))) ||
    whole.some((name) => name !== '' && folded.includes(name))
  )
}
