import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditEventNames } from '#contract/audit-event.ts'
import { fallbackLanguage, languages } from '#contract/roles.ts'
import { capitalized } from '#web/features/audit-events/event-names.ts'

const root = join(import.meta.dirname, '..')
const file = (language: string) => readFileSync(join(root, 'locales', language, 'translation.json'), 'utf8')
const texts: Record<string, Record<string, string>> = Object.fromEntries(
  languages.map((language) => [language, JSON.parse(file(language))]),
)
const source = texts[fallbackLanguage] ?? {}
const keys = Object.keys(source)
const others = languages.filter((language) => language !== fallbackLanguage)

const pluralForm = /_(zero|one|two|few|many|other)$/
const baseOf = (key: string) => key.replace(pluralForm, '')
const placeholders = (text = '') => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1]).sort()

/** All our code that can contain a key, without tests. */
const code = ['contract', 'server', 'web', 'simulators', 'scripts']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter(({ name }) => /\.(tsx?|mjs|html)$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('\n')

describe.each(languages)('the texts in %s', (language) => {
  const own = texts[language] ?? {}

  test('have the keys of the source, each once and in order', () => {
    expect(Object.keys(own)).toEqual(keys)
    const written = [...file(language).matchAll(/^\s*"([^"]+)":/gm)].map((match) => match[1] ?? '')
    expect(written).toEqual([...new Set(written)].sort())
  })

  test('are never empty, never the key itself, and have no blanks around them', () => {
    const wrong = Object.entries(own).filter(
      ([key, text]) => text.trim() === '' || text === key || text !== text.trim(),
    )
    expect(wrong).toEqual([])
  })

  test('have the placeholders of the source', () => {
    const differing = keys.filter((key) => {
      const [here, there] = [placeholders(own[key]), placeholders(source[key])]
      // "One day" needs no number.
      const counted = pluralForm.test(key) ? (name: string | undefined) => name !== 'count' : () => true
      return here.filter(counted).join() !== there.filter(counted).join()
    })
    expect(differing).toEqual([])
  })

  test('have every plural form that the language needs', () => {
    const rules = new Intl.PluralRules(language)
    // French has one more plural form, for millions, which no text needs.
    const needed = new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)))
    const plurals = new Set(
      Object.keys(own)
        .filter((key) => pluralForm.test(key))
        .map(baseOf),
    )
    const missing = [...plurals].flatMap((base) =>
      [...needed].map((form) => `${base}_${form}`).filter((key) => !(key in own)),
    )
    expect(missing).toEqual([])
  })

  test('hold no markup and no brackets that were forgotten', () => {
    const rest = (text: string) => text.replaceAll(/\{\{\s*\w+\s*\}\}/g, '')
    expect(Object.entries(own).filter(([, text]) => /<[a-z/]|[{}]|\uFFFD/i.test(rest(text)))).toEqual([])
  })
})

test.each(others)('no longer text in %s is left in Swedish', (language) => {
  const words = (key: string) => (source[key] ?? '').replaceAll(/\{\{\w+\}\}/g, '').match(/\p{L}[\p{L}-]*/gu) ?? []
  const same = keys.filter((key) => texts[language]?.[key] === source[key] && words(key).length > 3)
  expect(same).toEqual([])
})

describe('the keys', () => {
  test('are flat and camelCase', () => {
    expect(keys.filter((key) => !/^[a-z][a-zA-Z0-9]*(_(zero|one|two|few|many|other))?$/.test(key))).toEqual([])
  })

  test('are all used somewhere', () => {
    const named = new Set([...code.matchAll(/(['"`])([a-z][a-zA-Z0-9]*(?:_[a-z]+)?)\1/g)].map((match) => match[2]))
    // Keys that begin with fixed words and end with a value: `loginMethod${method}`.
    const begun = [...code.matchAll(/`([a-z][a-zA-Z0-9]{3,})\$\{/g)].map((match) => match[1] ?? '')
    const ofEvents = new Set(
      auditEventNames.flatMap((name) => ['event', 'told'].map((start) => start + capitalized(name))),
    )
    const isUsed = (key: string) =>
      named.has(key) ||
      named.has(baseOf(key)) ||
      ofEvents.has(key) ||
      begun.some((start) => start !== 'event' && start !== 'told' && key.startsWith(start))
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })

  test('used in the code all exist', () => {
    const calls = [
      /\b(?:t|message)\(\s*'([^']+)'/g,
      /\btranslate\(\s*[^,()]+,\s*'([^']+)'/g,
      /new Problem\(\s*\d+,\s*'([^']+)'/g,
      /\bi18nKey="([^"]+)"/g,
    ]
    const named = calls.flatMap((call) => [...code.matchAll(call)].map((match) => match[1] ?? ''))
    expect(named.length).toBeGreaterThan(40)
    expect([...new Set(named)].filter((key) => !(key in source) && !(`${key}_other` in source))).toEqual([])
  })
})
