import { expect, test } from 'vitest'
import { publicErrors } from '#contract/sign-in-page.ts'
import swedish from '#locales/sv/translation.json' with { type: 'json' }
import { fieldTexts, textKeys } from './text-keys.ts'

const files = import.meta.glob<string>(['./*.{ts,tsx}', '!./text-keys.ts', '!./*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('the light entry carries no text that none of its pages says', () => {
  const sources = Object.values(files).join('\n')
  expect(sources).toContain('usePublicPage')
  const carried: readonly string[] = [...publicErrors, ...fieldTexts]
  const others = textKeys.filter((key) => !carried.includes(key))
  expect(others.filter((key) => !sources.includes(`'${key}'`))).toEqual([])
})

test('every text that it carries exists, once', () => {
  expect(textKeys.filter((key) => !Object.hasOwn(swedish, key))).toEqual([])
  expect(new Set(textKeys).size).toBe(textKeys.length)
})
