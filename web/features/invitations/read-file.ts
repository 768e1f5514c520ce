/** Maximum file size in bytes; far more than 500 users need. */
export const maxFileSize = 1024 * 1024

export type FileProblem = 'importFileTooLarge' | 'importFileNotText' | 'importFileUnreadable'

/** An encoding that a file does not name, and that could be another one. */
export type GuessedEncoding = 'Windows-1252' | 'Mac Roman'

interface TextOfFile {
  text: string
  /** Undefined where there is no doubt. */
  guessed?: GuessedEncoding
}

/**
 * Reads the text of a spreadsheet export: UTF-8 or UTF-16, with or without a byte order mark, else Windows-1252, which Excel writes
 * as CSV in Western Europe, or Mac Roman, which it writes on a Mac.
 */
export async function readTextFile(file: Blob): Promise<TextOfFile | { problem: FileProblem }> {
  if (file.size > maxFileSize) return { problem: 'importFileTooLarge' }
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: 'importFileUnreadable' }
  }
  const read = decode(bytes)
  // Control characters mean a binary file, such as a picture or a workbook.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
  return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(read.text) ? { problem: 'importFileNotText' } : read
}

function decode(bytes: Uint8Array<ArrayBuffer>): TextOfFile {
  const as = (encoding: string) => new TextDecoder(encoding).decode(bytes)
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: as('utf-16le') }
  if (first === 0xfe && second === 0xff) return { text: as('utf-16be') }
  // The first letter of a list is Latin.
  if (first !== 0 && second === 0 && bytes[3] === 0) return { text: as('utf-16le') }
  if (first === 0 && second !== 0 && bytes[2] === 0) return { text: as('utf-16be') }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const [windows, mac] = [as('windows-1252'), as('macintosh')]
    return likelihood(mac) > likelihood(windows)
      ? { text: mac, guessed: 'Mac Roman' }
      : { text: windows, guessed: 'Windows-1252' }
  }
}

/** How much the letters beyond ASCII look like those of names: `Åsa Öberg` does, `≈sa …berg` does not. */
function likelihood(text: string): number {
  let score = 0
  for (const { 0: sign, index } of text.matchAll(/[^\t\r\n -~]/g)) {
    const [before = '', after = ''] = [text[index - 1], text[index + 1]]
    const besideLetter = /\p{L}/u.test(before) || /\p{L}/u.test(after)
    // Upper case inside a word that has begun in lower case.
    const isMisplaced = /\p{Lu}/u.test(sign) && /\p{Ll}\p{L}*$/u.test(text.slice(Math.max(0, index - 20), index))
    if (!/\p{L}/u.test(sign)) score -= besideLetter ? 2 : 0
    else if (isMisplaced) score -= 2
    else if (besideLetter) score += /[åäöæøéüÅÄÖÆØÉÜ]/.test(sign) ? 2 : 1
  }
  return score
}
