import { expect, test } from 'vitest'
import { lineDifference } from './line-difference.ts'

const shown = (before: string, after: string) =>
  lineDifference(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

test('the same lines stay, others are removed or added in their places', () => {
  expect(shown('a\nb\nc', 'a\nc\nd')).toEqual([' a', '-b', ' c', '+d'])
  expect(shown('a', 'b')).toEqual(['-a', '+b'])
  expect(shown('a\nb', 'a\nb')).toEqual([' a', ' b'])
  expect(shown('', 'a')).toEqual(['-', '+a'])
})
