/** Maximum file size in bytes; far more than 500 users need. */
export const maxFileSize = 1024 * 1024

export type FileProblem = 'importFileTooLarge' | 'importFileNotText' | 'importFileUnreadable'

/**
 * Reads the text of a spreadsheet export: UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252,
 * which Excel writes as CSV in Western Europe.
 */
export async function readTextFile(file: Blob): Promise<{ text: string } | { problem: FileProblem }> {
  if (file.size > maxFileSize) return { problem: 'importFileTooLarge' }
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: 'importFileUnreadable' }
  }
  const text = decode(bytes)
  // Control characters mean a binary file, such as a picture or a workbook.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
  return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) ? { problem: 'importFileNotText' } : { text }
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
