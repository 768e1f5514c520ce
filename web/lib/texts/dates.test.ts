import { expect, test } from 'vitest'
import { languages } from '#contract/languages.ts'
import { dateTimeText } from './dates.ts'

test('a moment has the day before the month, and 24 hours, in every language', () => {
  const moment = '2026-11-05T12:07:00Z'
  for (const language of languages) expect(dateTimeText(moment, language)).toMatch(/^05\.? \p{L}+ 2026 .*\d\d[:.]07$/u)
  expect(dateTimeText(moment, 'en')).toContain('05 November 2026')
})
