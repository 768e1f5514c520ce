import { expect, test } from 'vitest'
import { nameOfPerson } from './person-name.ts'

test.each<[object, string | undefined, string | undefined]>([
  [{ displayName: 'Kim Lind' }, 'Kim', 'Lind'],
  [{ name: { formatted: 'Kim Lind' } }, 'Kim', 'Lind'],
  [{ name: { formatted: 'Kim Lind' }, displayName: 'Boss' }, 'Kim', 'Lind'],
  [{ name: {}, displayName: 'Lind, Kim' }, 'Kim', 'Lind'],
  [{ displayName: ' Lind ,  Kim Maria (Region Norr) ' }, 'Kim Maria', 'Lind'],
  [{ displayName: 'Anna Maria Lind' }, 'Anna Maria', 'Lind'],
  [{ displayName: 'Anna von Essen' }, 'Anna', 'von Essen'],
  [{ displayName: 'Kim' }, 'Kim', undefined],
  [{ name: { givenName: 'Kim' } }, 'Kim', undefined],
  [{ name: { familyName: 'Lind' } }, undefined, 'Lind'],
  [{ name: { givenName: 'Kim' }, displayName: 'Kim Bo Lind' }, 'Kim', 'Bo Lind'],
  [{ name: { familyName: 'Bo Lind' }, displayName: 'kim bo lind' }, 'kim', 'Bo Lind'],
  [{ name: { givenName: 'Kim' }, displayName: 'The boss' }, 'Kim', undefined],
  [{ name: { givenName: 'Eva', familyName: 'Ek' }, displayName: 'Kim Lind' }, 'Eva', 'Ek'],
  [{ displayName: '(  ,' }, undefined, undefined],
  [{ displayName: ' ' }, undefined, undefined],
  [{}, undefined, undefined],
])('%j is %j %j', (sent, firstName, lastName) => {
  expect(nameOfPerson({ ...sent })).toEqual({ firstName, lastName })
})
