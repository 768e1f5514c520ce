import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { WrongValue } from './wrong-value.ts'

const maxBytes = 64 * 1024

/**
 * Reads a small text file that nobody else may read, such as a mounted secret; without the space around it.
 *
 * @throws WrongValue, which never quotes the file
 */
export function readPrivateText(file: string): string {
  const bytes = readPrivateFile(file)
  if (bytes.length > maxBytes) throw new WrongValue(`names a file of more than ${maxBytes / 1024} KB`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch {
    throw new WrongValue('names a file that is no text (UTF-8)')
  }
  if (text === '') throw new WrongValue('names an empty file')
  return text
}

/** Refuses a file that is not there, or that others may read. @throws WrongValue */
export function readPrivateFile(file: string): Buffer {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new WrongValue(code === 'ENOENT' ? 'names no file' : `cannot be read by this account (${code})`)
  }
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw new WrongValue('names no file')
    if (othersMayRead(found)) throw new WrongValue(`can be read by others: chmod 600 ${file}`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * A mounted secret may belong to another user, such as root, and be readable by our group; our own file must be private.
 * Windows has no such permission bits.
 */
function othersMayRead({ mode, uid }: Stats): boolean {
  const forbidden = uid === process.getuid?.() ? 0o077 : 0o027
  return process.platform !== 'win32' && (mode & forbidden) !== 0
}
