import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTextFile } from './read-file.ts'
import { readPeople } from './read-people.ts'

// Lists as other people's systems make them.
async function read(name: string) {
  const file = await readTextFile(new Blob([readFileSync(join(import.meta.dirname, 'fixtures', name))]))
  if (!('text' in file)) throw new Error(file.problem)
  const list = readPeople(file.text)
  if (!('people' in list)) throw new Error(list.message)
  return { guessed: file.guessed, text: file.text, ...list }
}
const asa = { email: 'asa@kund.example', firstName: 'Åsa', lastName: 'Öberg' }
const bo = { email: 'bo@kund.example', firstName: 'Bo', lastName: 'Ek' }
const unnamed = (email: string) => ({ email, firstName: '', lastName: '' })

test.each([
  ['outlook-to-line.txt', [asa, bo]],
  ['gmail-to-line.txt', [asa, unnamed(bo.email)]],
  ['addresses-in-one-line.txt', [asa.email, bo.email, 'ek@kund.example'].map(unnamed)],
  ['google-workspace.csv', [asa, bo]],
  ['mailadress-header.csv', [asa]],
  ['title-above-header.csv', [asa]],
  ['mailto-cells.csv', [asa]],
  ['formula-text.csv', [asa]],
  ['name-first-without-header.csv', [asa, bo]],
  ['utf16le-without-bom.txt', [{ email: asa.email, firstName: asa.firstName }]],
  ['macroman.csv', [asa]],
])('%s: every person, with every letter of the name', async (name, people) => {
  const found = (await read(name)).people.map(({ row }) => row)
  expect(found).toMatchObject(people)
  expect(found).toHaveLength(people.length)
})

test('a file that does not name its encoding says which one was taken; one in UTF-8 does not', async () => {
  expect((await read('macroman.csv')).guessed).toBe('Mac Roman')
  expect((await read('google-workspace.csv')).guessed).toBeUndefined()
})

test.each([
  ['Håkan Sjöström', [0x48, 0x8c, 0x6b, 0x61, 0x6e, 0x20, 0x53, 0x6a, 0x9a, 0x73, 0x74, 0x72, 0x9a, 0x6d]],
  ['Lön', [0x4c, 0x9a, 0x6e]],
  ['Ängla', [0x80, 0x6e, 0x67, 0x6c, 0x61]],
])('%s of a Mac keeps its letters', async (name, bytes) => {
  expect(await readTextFile(new Blob([Uint8Array.from(bytes)]))).toEqual({ text: name, guessed: 'Mac Roman' })
})

test('people in the line of recipients are found again in the text', () => {
  const text = '"Öberg, Åsa" <asa@kund.example>, bo@kund.example\nek@kund.example'
  const list = readPeople(text)
  if (!('people' in list)) throw new Error(list.message)
  expect(list.people.map(({ line, start, end }) => [line, text.slice(start, end).trim()])).toEqual([
    [1, '"Öberg, Åsa" <asa@kund.example>'],
    [1, 'bo@kund.example'],
    [2, 'ek@kund.example'],
  ])
})
