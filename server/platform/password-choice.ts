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

/** Runs of keys: the alphabet, the rows of keyboards, and their columns downwards, upwards and both in turn. */
const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaqxswcdevfrbgtnhymjukilop',
  'qazxswedcvfrtgbnhyujmkiolp',
]
const digitRuns = ['01234567890123456789', '98765432109876543210']
/** Words that are common also with a letter or two around them: `mypassword`, `sommaren`. */
const longWords = [...commonWords].filter((word) => word.length >= 6)

function isCommon(password: string): boolean {
  return isDigitRun(password) || fold(password).some(isCommonWord)
}

function isCommonWord(letters: string): boolean {
  const unit = repeatedUnit(letters)
  if (commonWords.has(letters) || commonWords.has(unit)) return true
  if (longWords.some((word) => letters.length <= word.length + 2 && letters.includes(word))) return true
  // A random password may hold few letters; a long row or repetition of them is no accident.
  return (letters.length >= 6 && unit.length <= 3) || (unit.length >= 3 && runs.some((run) => run.includes(unit)))
}

/** Counted up, counted down or the same again, with the letters that the rules ask for: `Aa1234567890!`. */
function isDigitRun(password: string): boolean {
  const digits = password.replaceAll(/[^0-9]/g, '')
  if (digits.length < 6 || lettersOf(password).length > 3) return false
  return repeatedUnit(digits).length <= 2 || digitRuns.some((run) => run.includes(digits))
}

/** `abcabc` is `abc`: a repetition is no more to guess than what it repeats. */
const repeatedUnit = (text: string) => /^(.+?)\1*$/u.exec(text)?.[1] ?? ''

function containsOwn(password: string, { email, firstName, lastName, organizations = [] }: PasswordOwner): boolean {
  const [mailbox = '', domain = ''] = email.split('@')
  const [first, last] = [firstName ?? '', lastName ?? '']
  const known = [mailbox, ...domain.split('.').slice(0, -1), first, last, ...organizations].map(withoutAccents)
  const words = known.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  const whole = [...known, withoutAccents(first + last), withoutAccents(last + first)].map(lettersOf)
  const folded = fold(password)
  const readings = [withoutAccents(password), ...folded]
  // Short ones ("Bo", "Eva", "SJ") sit inside too many other words: they are easy to guess where there is nothing else.
  return (
    [...words, ...whole].some((part) => part.length >= 4 && readings.some((reading) => reading.includes(part))) ||
    whole.some((name) => name !== '' && folded.includes(name))
  )
}
