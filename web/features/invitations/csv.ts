/** A record of a table, and its position in the text. */
export interface CsvRecord {
  cells: readonly string[]
  /** Number of its first line, from 1. */
  line: number
  start: number
  end: number
}

export interface CsvTable {
  records: readonly CsvRecord[]
  /** The line where a quoted field starts that is never closed; reading stops there. */
  openQuoteAt?: number
}

/**
 * Reads delimited text (RFC 4180). A quoted field may contain separators, line breaks and doubled quotes. Lines end
 * with CR, LF or both. Empty records are left out.
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
  /** Index of the first character after the cell. */
  end: number
  /** Number of line breaks inside the cell. */
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
  // Text outside quotes, also after a closing quote, is read literally.
  const rest = at
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
  return { value: value + text.slice(rest, at), end: at, lines }
}

/**
 * Finds the separator: a tab if there is one, a bar if each line has one and an address stands beside it, else the comma or semicolon beside an address, else the first one outside quotes. The
 * email column comes before the list of services, so separators inside that list are not found first.
 */
export function findSeparator(text: string): string {
  const bare = text.replaceAll(/"[^"]*"/g, '')
  if (bare.includes('\t')) return '\t'
  const hasBars = bare.split(/[\r\n]+/).every((line) => line.trim() === '' || line.includes('|'))
  if (hasBars && /(?:^|\|)[^\S\r\n]*[^\s;,|@]+@[^\s;,|@]+[^\S\r\n]*(?:\||$)/m.test(bare)) return '|'
  const [, before, after] = /([;,]?)[^\S\r\n]*[^\s;,@]+@[^\s;,@]+[^\S\r\n]*([;,]?)/.exec(bare) ?? []
  return before || after || (/[;,]/.exec(bare)?.[0] ?? ',')
}
