import { expect, test } from 'vitest'
import { maxFileSize, readTextFile } from './read-file.ts'

const words = 'Förnamn;Åsa Öberg'
const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian)
  return new Blob([view])
}

test.each([
  ['UTF-8', new Blob([words])],
  ['UTF-8 with a byte order mark', new Blob(['\ufeff', words])],
  ['Windows-1252', new Blob([Uint8Array.from(words, (letter) => letter.charCodeAt(0))])],
  ['UTF-16, as Excel writes Unicode text', utf16(`\ufeff${words}`, true)],
  ['UTF-16, the other way round', utf16(`\ufeff${words}`, false)],
])('a file in %s is read', async (_, file) => {
  expect(await readTextFile(file)).toMatchObject({ text: words })
})

test('the signs that Windows-1252 has and Latin 1 has not are read, too', async () => {
  const file = new Blob([new Uint8Array([0x8a, 0x65, 0xe9, 0x80])])
  expect(await readTextFile(file)).toEqual({ text: 'Šeé€', guessed: 'Windows-1252' })
})

test('a picture or a workbook is no list', async () => {
  const workbook = new Blob([new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00])])
  expect(await readTextFile(workbook)).toEqual({ problem: 'importFileNotText' })
})

test('a large file is refused before it is read', async () => {
  expect(await readTextFile(new Blob([new Uint8Array(maxFileSize + 1)]))).toEqual({ problem: 'importFileTooLarge' })
})
