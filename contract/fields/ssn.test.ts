import { expect, test } from 'vitest'
import { optionalSsn, optionalSsnOrMasked, ssn } from './ssn.ts'

test.each([
  '198507099805',
  '19850709-9805',
  ' 19850709 9805 ',
  '1985 07 09 - 9805',
  '19850709–9805',
  '19850709\u00a09805',
])('the number %j becomes twelve digits', (typed) => {
  expect(ssn.parse(typed)).toBe('198507099805')
  expect(optionalSsn.parse(typed)).toBe('198507099805')
  expect(optionalSsnOrMasked.parse(typed)).toBe('198507099805')
})

test.each([
  ['850709-9805', 'ssnIncorrectFormat'],
  ['19850709+9805', 'ssnIncorrectFormat'],
  ['19850709-980', 'ssnIncorrectFormat'],
  ['19850709-98055', 'ssnIncorrectFormat'],
  ['131052-308T', 'ssnIncorrectFormat'],
  ['19851309-9805', 'ssnIncorrectFormat'],
  ['19850709-9806', 'ssnInvalidDigits'],
])('%j is refused with %s', (typed, message) => {
  expect(ssn.safeParse(typed).error?.issues).toMatchObject([{ message }])
})

test('the masked form stays as it is, and only where it means "unchanged"', () => {
  expect(optionalSsnOrMasked.parse('19850709-****')).toBe('19850709-****')
  expect(optionalSsn.safeParse('19850709-****').error?.issues).toMatchObject([{ message: 'ssnIncorrectFormat' }])
})

test('an empty number is null, and a placeholder keeps its hyphens', () => {
  expect(optionalSsn.parse(' ')).toBeNull()
  expect(ssn.parse('placeholder-Anna 1')).toBe('placeholder-anna 1')
})
