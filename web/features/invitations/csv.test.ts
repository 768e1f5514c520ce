import { describe, expect, test } from 'vitest'
import { findSeparator, readCsv } from './csv.ts'

const cells = (text: string, separator = ',') => readCsv(text, separator).records.map((record) => record.cells)

describe('a table as text', () => {
  test.each([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\rc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,,\n,,b',
      [
        ['a', '', ''],
        ['', '', 'b'],
      ],
    ],
    ['"a,b",c', [['a,b', 'c']]],
    ['"say ""hi""",c', [['say "hi"', 'c']]],
    [
      '"two\r\nlines",c\nd,e',
      [
        ['two\r\nlines', 'c'],
        ['d', 'e'],
      ],
    ],
    ['"",b', [['', 'b']]],
    ['5" disk,b', [['5" disk', 'b']]],
    ['"a"b,c', [['ab', 'c']]],
    [
      'a,b\n\n , \nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['', []],
    ['\n\n', []],
    ['a', [['a']]],
    ['a,', [['a', '']]],
  ])('%j', (text, expected) => {
    expect(cells(text)).toEqual(expected)
  })

  test('with the separator that it is told', () => {
    expect(cells('a;b,c\td', ';')).toEqual([['a', 'b,c\td']])
    expect(cells('a\tb;c', '\t')).toEqual([['a', 'b;c']])
  })

  test('knows where a record stands, also behind fields of several lines', () => {
    const text = 'a,b\n\n"x\ny","z\r\n"\nlast,one'
    const { records } = readCsv(text, ',')
    expect(records.map(({ line, start, end }) => [line, text.slice(start, end)])).toEqual([
      [1, 'a,b'],
      [3, '"x\ny","z\r\n"'],
      [6, 'last,one'],
    ])
  })

  test('names the line of a quote that never ends, and keeps what came before', () => {
    const { records, openQuoteAt } = readCsv('a,b\nc,"d\ne,f', ',')
    expect(records.map((record) => record.cells)).toEqual([['a', 'b']])
    expect(openQuoteAt).toBe(2)
  })

  test('is read in time that grows with its length', () => {
    const row = '"anna ""a"" andersson",b,"c\nd"\n'
    expect(readCsv(row.repeat(20_000), ',').records).toHaveLength(20_000)
  })
})

test.each([
  ['a@x.se\tAnna\tBerg\tArkiv;Lön', '\t'],
  ['a@x.se;Anna;Berg;Arkiv|Lön', ';'],
  ['a@x.se,Anna,Berg,Arkiv;Lön', ','],
  ['a@x.se\nb@x.se,Bo', ','],
  ['"Berg, Anna";a@x.se', ';'],
  ['a@x.se', ','],
])('the separator of %j is %j', (text, expected) => {
  expect(findSeparator(text)).toBe(expected)
})
