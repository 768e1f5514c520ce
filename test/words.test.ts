import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditEventNames } from '#contract/audit-event.ts'
import { languages } from '#contract/roles.ts'
import { eventTextKey } from '#web/features/audit-events/event-names.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

/** The rows of the table in docs/words.md: a language, and words that are separated by commas. */
const avoided = [...read('docs/words.md').matchAll(/^\| (sv|en|fi|fr) \| ([^|]+) \|/gm)].flatMap(
  ([, language = '', words = '']) => words.split(',').map((word) => ({ language, word: word.trim() })),
)

/** A whole word or phrase; `…` stands for the rest of a word. A hyphen belongs to the word: `mail` is not in `e-mail`. */
function asPattern(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('…', '[\\p{L}]*')
  return new RegExp(`(?<![\\p{L}-])${escaped}(?![\\p{L}-])`, /\p{Lu}/u.test(word) ? 'u' : 'iu')
}

describe.each(languages)('the texts in %s', (language) => {
  const all = Object.entries<string>(JSON.parse(read(`locales/${language}/translation.json`)))
    // A placeholder is no word, and neither is the attribute “mail”.
    .map(([key, text]) => [key, text.replaceAll(/\{\{\w+\}\}|(?<=attribut |exemple )mail\b/g, '0')] as const)
  // The sentences of BankID are its own.
  const ours = all.filter(([key]) => !/^rfa\d/.test(key))
  const words = avoided.filter((one) => one.language === language).map((one) => one.word)

  test('have none of the words to avoid', () => {
    expect(words.length).toBeGreaterThan(5)
    const found = words.flatMap((word) => {
      const pattern = asPattern(word)
      return ours.filter(([, text]) => pattern.test(text)).map(([key, text]) => `${word} in ${key}: ${text}`)
    })
    expect(found).toEqual([])
  })

  test('have one name for the IT of a customer', () => {
    const alone = {
      sv: /(?<![\p{L}-])it(?![\p{L}]|-avdelning)/iu,
      en: /\bIT\b(?! team)/,
      fi: /(?<![\p{L}-])IT(?!\p{L})/u,
      fr: /(?<!services? )informatique/i,
    }[language]
    expect(ours.filter(([, text]) => alone.test(text))).toEqual([])
  })

  test('have typographic apostrophes, quotation marks and ellipses', () => {
    const blankBefore = language === 'sv' ? /\S…$/ : /\s…/
    // French puts a no-break space before these marks.
    const breaks = language === 'fr' ? / [:;?!»]|« / : /(?!)/
    const wrong = ours.filter(([, text]) => /['"]|\.\.\./.test(text) || blankBefore.test(text) || breaks.test(text))
    expect(wrong).toEqual([])
  })
})

test('a word to avoid is found at the start of a sentence and inflected, but not within another word', () => {
  expect(asPattern('cela').test('Cela vous semble faux ?')).toBe(true)
  expect(asPattern('begäran…').test('En begäran.')).toBe(true)
  expect(asPattern('pääkäyttäj…').test('Pääkäyttäjällä on oikeudet')).toBe(true)
  expect(asPattern('man').test('Lämna mandatet')).toBe(false)
  expect(asPattern('mail').test('un e-mail')).toBe(false)
  expect(asPattern('SMS').test('Skicka som sms')).toBe(false)
})

test('the English texts have no contractions', () => {
  const all = Object.entries<string>(JSON.parse(read('locales/en/translation.json')))
  const contraction = /\b(?:\w+n’t|(?:it|that|there|what|here)’s|\w+’(?:re|ll|ve|d|m))\b/i
  expect(all.filter(([key, text]) => !/^rfa\d/.test(key) && contraction.test(text))).toEqual([])
})

test('English buttons have no article', () => {
  const texts: Record<string, string> = JSON.parse(read('locales/en/translation.json'))
  const sources = globSync('web/**/*.tsx', { cwd: join(import.meta.dirname, '..') }).map(read)
  const named = sources.flatMap((source) => [
    ...source.matchAll(/<(?:Button|LinkButton)\b[^<]*?>\s*\{\w+\('(\w+)'/g),
    ...source.matchAll(/\b(?:confirmLabel|submitLabel)=\{\w+\('(\w+)'/g),
  ])
  const buttons = new Set(['mailAcceptInvitation', ...Object.keys(texts).filter((key) => key.startsWith('mailOpen'))])
  for (const [, key = ''] of named) buttons.add(key)
  expect(buttons).toContain('acceptInvitation')
  expect(buttons.size).toBeGreaterThan(60)
  // What the button does comes first; “in the portal” says where.
  const withArticle = [...buttons].filter((key) =>
    /\b(?:a|an|the)\b/i.test(texts[key]?.replace(/ in the .*/, '') ?? ''),
  )
  expect(withArticle.map((key) => `${key}: ${texts[key]}`)).toEqual([])
})

test.each([
  ['sv', /^(?:\p{Lu}\p{Ll}+(?:ade|ades|de|te|dde)|Avslog|Bad|Fick|Gav|Tog)(?!\p{L})/u],
  ['en', /^(?:\p{Lu}\p{Ll}+ed|Chose|Did|Gave|Made|Read|Sent|Set) /u],
  ['fi', /^(?:\p{Lu}\p{Ll}+i|Ei (?:päässyt|voinut|vahvistanut)) /u],
])('the names of events in %s are verbs of what someone did', (language, verb) => {
  const texts: Record<string, string> = JSON.parse(read(`locales/${language}/translation.json`))
  const names = auditEventNames.filter((name) => name !== 'unknown').map((name) => texts[eventTextKey(name)] ?? name)
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !verb.test(`${name} `))).toEqual([])
})
