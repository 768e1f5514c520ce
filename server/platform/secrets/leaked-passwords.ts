import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** The passwords that are known to have leaked. */
export interface LeakedPasswords {
  has(password: string): Promise<boolean>
  close(): Promise<void>
}

/** Bytes that are read at once in the end; a line is far shorter. */
const blockSize = 4096
const longestLine = 128
/** Fewer digits would be those of too many passwords. */
const shortestHash = 10

/**
 * Opens the file of LEAKED_PASSWORDS_FILE: a line for each password, sorted, with its SHA-1 in hexadecimal or the first ten
 * digits or more of it, and after a colon anything. This is the format of Have I Been Pwned. The file may have any size: it
 * is searched on the disk. Nothing is sent anywhere.
 *
 * @throws Error if the file cannot be read
 */
export async function openLeakedPasswords(path: string | undefined): Promise<LeakedPasswords> {
  if (path === undefined) return { has: async () => false, close: async () => undefined }
  const file = await open(path)
  return {
    has: async (password) => find(file, createHash('sha1').update(password).digest('hex').toUpperCase()),
    close: () => file.close(),
  }
}

/** The line, if it is there, begins in the bytes from `low` to before `high`. */
async function find(file: FileHandle, hash: string): Promise<boolean> {
  let low = 0
  let high = (await file.stat()).size
  while (high - low > blockSize) {
    const middle = Math.floor((low + high) / 2)
    const text = await read(file, middle, 2 * longestLine)
    const start = text.indexOf('\n') + 1
    const line = text.slice(start).split('\n', 1)[0] ?? ''
    if (start > 0 && middle + start < high && digitsOf(line) <= hash) low = middle + start
    else high = middle + 1
  }
  const lines = (await read(file, low, high - low + longestLine)).split('\n')
  return lines.some((line) => digitsOf(line).length >= shortestHash && hash.startsWith(digitsOf(line)))
}

const digitsOf = (line: string) => (line.split(':', 1)[0] ?? '').trim().toUpperCase()

async function read(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.toString('latin1', 0, bytesRead)
}
