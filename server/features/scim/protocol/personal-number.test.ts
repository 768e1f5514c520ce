import { expect, test } from 'vitest'
import { hasPersonalNumber } from './personal-number.ts'

test.each([
  '198112189876',
  'Patient 198112189876',
  'id:19811218-9876;',
  'Anställd (811218-9876) sedan 2020',
  '811218+9876 hundred years',
  '1981-12-18-9876',
  'born 1981-12-18, 19811218 9876',
  '1900-01-01 1981-12-18-9876',
  '１９８１１２１８－９８７６',
  'no. 19811218\u20119876',
  '1981\u200b1218\u200b9876',
  'a198112189876b',
  'placeholder 19811218-9876',
  '19811218-9876-2',
])('%s holds a personal number', (text) => {
  expect(hasPersonalNumber(text)).toBe(true)
})

test.each([
  '',
  'Läkare',
  '198112189877',
  '19811318-9876',
  '0701740605',
  '+201012189876',
  '8112189876',
  '0198112189876',
  '1981121898760',
  'a3f2c1d4-0000-4000-8000-198112189876',
  '2026-11-28 2027-01-01',
  'x'.repeat(1000),
])('%s holds none', (text) => {
  expect(hasPersonalNumber(text)).toBe(false)
})
