import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('cells are quoted where any common separator would split them', () => {
  expect(csvLine(['a', null, 'b;c', 'd,e', 'f\tg', 'h "i"', 'j\nk', ''])).toBe(
    'a;;"b;c";"d,e";"f\tg";"h ""i""";"j\nk";\r\n',
  )
})

test.each(['=1+1', '+46701740605', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠a'])(
  'a spreadsheet does not calculate %j',
  (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/)
  },
)

test('a separator before a formula does not make it a cell of its own', () => {
  expect(csvLine(['x;=1+1'])).toBe('"x;=1+1"\r\n')
})
