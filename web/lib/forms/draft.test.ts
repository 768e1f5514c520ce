import { expect, test } from 'vitest'
import { draftFrom } from './draft.ts'

const blank: { name: string; number: string | null; days: number | null; active: boolean } = {
  name: '',
  number: '',
  days: null,
  active: true,
}

test('a draft of nothing is blank', () => {
  expect(draftFrom(blank, {})).toEqual(blank)
})

test('what is null is an empty field, and what is false or 0 stays', () => {
  const known = { id: '1', name: 'Journal', number: null, days: 0, active: false }
  expect(draftFrom(blank, known)).toEqual({ name: 'Journal', number: '', days: 0, active: false })
})
