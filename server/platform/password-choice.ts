import { commonWords } from './common-passwords.ts'
import { Problem } from './problem.ts'

/** Whose password it is: what others know about a person must not be in it. */
export interface PasswordOwner {
  email: string
  firstName?: string | null
  lastName?: string | null
  organizations?: readonly string[]
}

/**
 * Refuses a new password that is too easy to guess: a common one, a run of keys, or one with the owner's name, address
 * or organisation in it. Length and composition are checked by the schema (contract/password.ts).
 *
 * @param path the field that the message belongs to
 * @throws Problem 422 `validationFailed` with `passwordTooCommon` at the field
 */
export function refuseGuessable(password: string, owner: PasswordOwner, path: string): void {
  if (isCommon(password) || containsOwn(password, owner))
    throw new Problem(422, 'validationFailed', { issues: [{ path, message: 'passwordTooCommon' }] })
}

const signs: Record<string, string> = {
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

/** The letters behind a password, once with its digits and signs dropped and once with them read as letters. */
function fold(password: string): string[] {
  const plain = withoutAccents(password)
  const core = plain.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')
  const spelled = [...core].map((sign) => signs[sign] ?? sign).join('')
  return [lettersOf(plain), lettersOf(spelled)]
}

const rows = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', 'azertyuiopqsdfghjklmwxcvbn']

function isCommon(password: string): boolean {
  return fold(password).some((letters) => {
    const unit = repeatedUnit(letters)
    if (commonWords.has(letters) || commonWords.has(unit)) return true
    // A random password may hold few letters; a long row or repetition of them is no accident.
    return (letters.length >= 6 && unit.length <= 3) || (unit.length >= 3 && rows.some((row) => row.includes(unit)))
  })
}

/** `abcabc` is `abc`: a repetition is no more to guess than what it repeats. */
const repeatedUnit = (letters: string) => /^(.+?)\1*$/u.exec(letters)?.[1] ?? ''

function containsOwn(password: string, { email, firstName, lastName, organizations = [] }: PasswordOwner): boolean {
  const [mailbox = '', domain = ''] = email.split('@')
  const known = [mailbox, ...domain.split('.').slice(0, -1), firstName, lastName, ...organizations]
  const parts = known.flatMap((text) => withoutAccents(text ?? '').split(/[^\p{L}\p{N}]+/u))
  const plain = withoutAccents(password)
  const readings = [plain, ...fold(password)]
  // Shorter parts ("Bo", "AB", "Eva") sit inside too many other words.
  return parts.some((part) => part.length >= 4 && readings.some((reading) => reading.includes(part)))
}
