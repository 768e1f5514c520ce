import { maxImportedRows, type PastedRow } from '#contract/bulk-invitations.ts'
import { type ColumnName, columnOf, columns, roleOf } from './columns.ts'
import { type CsvRecord, findSeparator, readCsv } from './csv.ts'

/** Characters of a list: 500 people fit many times over, and the page stays quick. */
const maxListLength = 500_000

/** Somebody in the list, and the place in the text. */
export interface ListedPerson extends Pick<CsvRecord, 'line' | 'start' | 'end'> {
  row: PastedRow
  /** Has content where no column is. */
  overlong: boolean
}

export interface PeopleList {
  people: readonly ListedPerson[]
  /** What of the text comes before the first person: the names of the columns. */
  head: string
  /** Columns that an import has no use for. */
  ignored: readonly string[]
}

/** Why a text is no list of people: a key of the texts, with what it is about. */
export type ListProblem =
  | { message: 'required' | 'importOnlyHeader' | 'importNoEmailColumn' | 'importTooLong' }
  | { message: 'importTooManyRows'; count: number }
  | { message: 'importOpenQuote'; line: number }

/** Reads what was pasted or came from a file. */
export function readPeople(text: string): PeopleList | ListProblem {
  if (text.trim() === '') return { message: 'required' }
  if (text.length > maxListLength) return { message: 'importTooLong' }
  // What Excel writes for itself.
  const told = /^sep=([;,\t])\r?\n/i.exec(text)
  const skipped = told?.[0].length ?? 0
  const table = readCsv(text.slice(skipped), told?.[1] ?? findSeparator(text))
  if (table.openQuoteAt !== undefined) return { message: 'importOpenQuote', line: table.openQuoteAt + (told ? 1 : 0) }
  const records = table.records.map((record) => ({
    ...record,
    line: record.line + (told ? 1 : 0),
    start: record.start + skipped,
    end: record.end + skipped,
  }))

  const header = readHeader(records[0])
  if (header && !header.includes('email')) return { message: 'importNoEmailColumn' }
  const rows = header ? records.slice(1) : records
  if (rows.length === 0) return { message: 'importOnlyHeader' }
  if (rows.length > maxImportedRows) return { message: 'importTooManyRows', count: rows.length }
  return {
    people: rows.map(({ cells, line, start, end }) => ({ ...readPerson(cells, header ?? columns), line, start, end })),
    head: text.slice(0, rows[0]?.start ?? 0),
    ignored: header ? (records[0]?.cells ?? []).filter((cell, index) => cell.trim() !== '' && !header[index]) : [],
  }
}

/** The column of each cell, if the record names columns: it has a name that is known, and no address. */
function readHeader(record: CsvRecord | undefined): (ColumnName | undefined)[] | undefined {
  if (!record || record.cells.some((cell) => cell.includes('@'))) return undefined
  const names = record.cells.map(columnOf)
  // Of two columns with one name the first counts.
  const once = names.map((name, index) => (names.indexOf(name) === index ? name : undefined))
  return once.some((name) => name !== undefined) ? once : undefined
}

function readPerson(cells: readonly string[], order: readonly (ColumnName | undefined)[]) {
  const cell = (name: ColumnName) => cells[order.indexOf(name)]?.trim() ?? ''
  const row: PastedRow = {
    email: cell('email'),
    firstName: cell('firstName'),
    lastName: cell('lastName'),
    services: cell('services')
      .split(/[|;\r\n]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    userRole: roleOf(cell('userRole')),
  }
  return { row, overlong: cells.slice(order.length).some((extra) => extra.trim() !== '') }
}
