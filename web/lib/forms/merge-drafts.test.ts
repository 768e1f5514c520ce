import { expect, test } from 'vitest'
import { mergeDrafts } from './merge-drafts.ts'

const base = { name: 'Journal', url: 'https://one.example', services: { a: { chosen: true, seats: null } } }

test('a field that only they changed follows, and what was typed elsewhere stays', () => {
  const mine = { ...base, url: 'https://mine.example' }
  const theirs = { ...base, name: 'Journalen' }
  expect(mergeDrafts(base, mine, theirs)).toEqual({
    changed: [{ name: 'name', theirs: 'Journalen' }],
    kept: [{ name: 'url', value: 'https://mine.example' }],
  })
})

test('a field that both changed shows both', () => {
  const mine = { ...base, name: 'Min' }
  const theirs = { ...base, name: 'Deras' }
  expect(mergeDrafts(base, mine, theirs)).toEqual({
    changed: [{ name: 'name', theirs: 'Deras', mine: { value: 'Min' } }],
    kept: [{ name: 'name', value: 'Min' }],
  })
})

test('the same change twice is no conflict', () => {
  const same = { ...base, name: 'Lika' }
  expect(mergeDrafts(base, same, same)).toEqual({ changed: [{ name: 'name', theirs: 'Lika' }], kept: [] })
})

test('nested fields are told one by one', () => {
  const mine = { ...base, services: { a: { chosen: true, seats: 5 } } }
  const theirs = { ...base, services: { a: { chosen: false, seats: null }, b: { chosen: true, seats: 2 } } }
  expect(mergeDrafts(base, mine, theirs)).toEqual({
    changed: [
      { name: 'services.a.chosen', theirs: false },
      { name: 'services.b.chosen', theirs: true },
      { name: 'services.b.seats', theirs: 2 },
    ],
    kept: [{ name: 'services.a.seats', value: 5 }],
  })
})
