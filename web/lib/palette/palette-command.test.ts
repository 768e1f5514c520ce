import Circle from 'lucide-react/icons/circle'
import { expect, test } from 'vitest'
import { matchingCommands, type PaletteCommand, wordsOf } from './palette-command.ts'

const command = (label: string, hint?: string): PaletteCommand => ({
  id: label,
  label,
  hint,
  icon: Circle,
  run: () => undefined,
})
const all = [command('Skapa tjänst'), command('Tjänster', 'Administration'), command('Åsa Berg', 'asa@nordvik.example')]
const found = (text: string) => matchingCommands(all, wordsOf(text, 'sv'), 'sv').map(({ label }) => label)

test('what begins with the typed word stands before what only holds it', () => {
  expect(found('TJÄN')).toEqual(['Tjänster', 'Skapa tjänst'])
})

test('every word must occur, in the label or beside it, in any order', () => {
  expect(found('nordvik åsa')).toEqual(['Åsa Berg'])
  expect(found('åsa solberga')).toEqual([])
})

test('å is itself, also when it comes as two signs', () => {
  expect(found('A\u030Asa berg')).toEqual(['Åsa Berg'])
  expect(found('asa berg')).toEqual(['Åsa Berg'])
  expect(found('ä')).toEqual(['Skapa tjänst', 'Tjänster'])
})

test('nothing typed is everything, in its order', () => {
  expect(found('  ')).toEqual(['Skapa tjänst', 'Tjänster', 'Åsa Berg'])
})
