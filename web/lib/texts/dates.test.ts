import { expect, test } from 'vitest'
import { languages } from '#contract/languages.ts'
import { dateTimeText, longDayText, monthsText } from './dates.ts'

test('a moment has the day before the month, and 24 hours, in every language', () => {
  const moment = '2026-11-05T12:07:00Z'
  for (const language of languages) expect(dateTimeText(moment, language)).toMatch(/^05\.? \p{L}+ 2026 .*\d\d[:.]07$/u)
  expect(dateTimeText(moment, 'en')).toContain('05 November 2026')
})

test('a day as a heading begins with its weekday as a name, with a capital', () => {
  const headings = languages.map((language) => longDayText('2026-11-25T12:00:00Z', language))
  expect(headings).toEqual([
    'Onsdag 25 november 2026',
    'Wednesday 25 November 2026',
    'Keskiviikko 25. marraskuuta 2026',
    'Mercredi 25 novembre 2026',
  ])
})

test('months are named once where they are one, and their year where it is one', () => {
  expect(monthsText('2024-01', '2024-01', 'en')).toBe('January 2024')
  expect(languages.map((language) => monthsText('2024-01', '2024-03', language).replaceAll(/\s/g, ' '))).toEqual([
    'januari–mars 2024',
    'January – March 2024',
    'tammikuu 2024–maaliskuu 2024',
    'janvier – mars 2024',
  ])
})
