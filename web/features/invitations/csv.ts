/** A record of a table, and where it stands in the text. */
export interface CsvRecord {
  cells: readonly string[]
  /** The first of its lines, from 1. */
  line: number
  start: number
  end: number
}

export interface CsvTable {
  records: readonly CsvRecord[]
  /** The line of a quoted field that never ends; what follows it cannot be told apart. */
  openQuoteAt?: number
}

/**
 * Reads separated values (RFC 4180): a field in quotes may hold separators, line ends and, doubled, quotes. Line ends
 * are CR, LF or both; records without any content are left out.
 */
export function readCsv(text: string, separator: string): CsvTable {
  const records: CsvRecord[] = []
  let at = 0
  let line = 1
  while (at < text.length) {
    const start = at
    const startLine = line
    const cells: string[] = []
    for (;;) {
      const cell = readCell(text, at, separator)
      if (!cell) return { records, openQuoteAt: line }
      cells.push(cell.value)
      line += cell.lines
      at = cell.end
      if (text[at] !== separator) break
      at++
    }
    if (cells.some((value) => value.trim() !== '')) records.push({ cells, line: startLine, start, end: at })
    if (text.startsWith('\r\n', at)) at++
    at++
    line++
  }
  return { records }
}

interface Cell {
  value: string
  /** Of the first character after it. */
  end: number
  /** Line ends within. */
  lines: number
}

function readCell(text: string, from: number, separator: string): Cell | undefined {
  let value = ''
  let at = from
  if (text[at] === '"')
    for (at++; ; at++) {
      const quote = text.indexOf('"', at)
      if (quote === -1) return undefined
      value += text.slice(at, quote)
      at = quote + 1
      if (text[at] !== '"') break
      value += '"'
    }
  const lines = value.match(/\r\n|\r|\n/g)?.length ?? 0
  // What stands outside of quotes, also after them, is taken as it is.
  const rest = at
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
  return { value: value + text.slice(rest, at), end: at, lines }
}

/**
 * What separates the fields: what Excel says in a first line `sep=;`, else a tab anywhere, else the first comma or
 * semicolon outside of quotes. An address always comes before a list of services, so that is not the one within it.
 */
export function findSeparator(text: string): string {
  const bare = text.replaceAll(/"[^"]*"/g, '')
  return bare.includes('\t') ? '\t' : (/[;,]/.exec(bare)?.[0] ?? ',')
}
