import { expect, test } from 'vitest'
import { readPeople } from './read-people.ts'
import { readDay } from './written-day.ts'

test.each([
  '2027-12-31',
  '2027-12-31 00:00:00',
  '2027-12-31 00:00',
  '2027-12-31T00:00:00',
  '31.12.2027 klo 0.00',
  '31/12/2027 à 00h00',
  '31.12.2027 kl. 00.00',
  '2027-12-31T00:00:00.000Z',
  '2027-12-31T00:00:00+01:00',
  '2027/12/31',
  '2027.12.31',
  '2027-12-31.',
  '20271231',
  '46752',
  '46752,0',
  '46752.5',
  '31.12.2027',
  '31.12.2027 00:00:00',
  '31. 12. 2027',
  '31/12/2027',
  '31-12-2027',
  '12/31/2027',
  '12/31/2027 12:00:00 AM',
  '31 december 2027',
  'den 31 december 2027',
  '31 dec. 2027',
  '31-Dec-2027',
  'December 31, 2027',
  'Friday, December 31, 2027',
  'fredag 31 december 2027',
  '31. joulukuuta 2027',
  '31 décembre 2027',
])('%s is the last day of 2027', (written) => {
  expect(readDay(written)).toBe('2027-12-31')
})

test.each([
  ['2027-1-5', '2027-01-05'],
  ['5.1.2027', '2027-01-05'],
  ['1/1/2027', '2027-01-01'],
  ['1er janvier 2027', '2027-01-01'],
  ['2027-03-05 23:59:59', '2027-03-05'],
  ['3 maj 2027', '2027-05-03'],
  ['3 mars 2027', '2027-03-03'],
  ['3 kesäkuuta 2027', '2027-06-03'],
  ['3 juil. 2027', '2027-07-03'],
  ['3 juin 2027', '2027-06-03'],
])('%s is %s', (written, day) => {
  expect(readDay(written)).toBe(day)
})

test.each([
  '01/02/2027',
  '1-2-2027',
  '31/12/27',
  '27-12-31',
  '31.02.2027',
  '2027-02-30',
  '20271331',
  '12',
  '2027',
  'tills vidare',
  '31 2027',
  '',
])('%j could be two days, or is none: it stays as it is, and the server refuses it', (written) => {
  expect(readDay(written)).toBe(written)
})

test.each([
  'Sista dag',
  'Slutdatum',
  'T.o.m.',
  'Anställd t.o.m.',
  'Till och med',
  'Avgångsdatum',
  'Last day',
  'End date',
  'Termination Date',
  'employeeLeaveDateTime',
  'Valid to',
  'Päättymispäivä',
  'Viimeinen työpäivä',
  'Date de fin',
  'Fin de contrat',
])('the last day is found under %s', (word) => {
  const list = readPeople(`E-post;${word}\nasa@kund.example;2027-12-31 00:00:00`)
  expect(list).toMatchObject({ people: [{ row: { validUntil: '2027-12-31' } }], ignored: [] })
})
