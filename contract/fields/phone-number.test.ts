import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { optionalPhoneNumber } from './fields.ts'

const read = (written: string) => z.safeParse(optionalPhoneNumber, written)

test.each([
  '+46701234567',
  '0701234567',
  '070-123 45 67',
  '070 – 123 45 67',
  '+46 70 123 45 67',
  '+46 (0)70-123 45 67',
  '+46(0) 70 123 45 67',
  '+46 070 123 45 67',
  '0046701234567',
  '0046 (0)70 123 45 67',
  '070\u00a0123\u00a045\u00a067',
  '070\u2009123\u202f45\u00a067',
  '\u202a070-123 45 67\u202c',
  '070/123.45.67',
  '(070) 123 45 67',
  '+４６ ７０ １２３ ４５ ６７',
  'tel:+46-70-123-45-67',
])('%j is the number +46701234567', (written) => {
  expect(read(written).data).toBe('+46701234567')
})

test.each([
  ['08-465 004 00', '+46846500400'],
  ['031-390 06 00', '+46313900600'],
  ['+46 8 465 004 00', '+46846500400'],
  ['', null],
  ['  ', null],
])('%j is %j', (written, number) => {
  expect(read(written).data).toBe(number)
})

test.each([
  '+358 40 123 4567',
  '+47 22 22 22 22',
  '112',
  '070-12',
  'ring växeln',
  '070 123 45 67 ank. 12',
  '+46',
  '++46701234567',
])('%j is refused, and nothing of it is guessed', (written) => {
  expect(read(written).error?.issues[0]?.message).toBe('invalidPhoneNumber')
})
