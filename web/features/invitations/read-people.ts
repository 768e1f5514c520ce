import { maxImportedRows, type PastedRow } from '#contract/bulk-invitations.ts'
import { type ColumnName, columnOf, columns, roleOf } from './columns.ts'
import { type CsvRecord, findSeparator, readCsv } from './csv.ts'

/** Maximum characters of a list: far more than 500 users need, and still fast to parse. */
const maxListLength = 500_000

/** A user in the list, with the position in the text. */
export interface ListedPerson extends Pick<CsvRecord, 'line' | 'start' | 'end'> {
  row: PastedRow
  /** A cell beyond the last column has content. */
  overlong: boolean
}

export interface PeopleList {
  people: readonly ListedPerson[]
  /** The text before the first user: the header. */
  head: string
  /** Headers of columns that the import does not use. */
  ignored: readonly string[]
}

/** Why a text cannot be imported: a text key with its values. */
export type ListProblem =
  | { message: 'required' | 'importOnlyHeader' | 'importNoEmailColumn' | 'importTooLong' }
  | { message: 'importTooManyRows'; count: number }
  | { message: 'importOpenQuote'; line: number }

/** Reads a list that was pasted or comes from a file. */
export function readPeople(text: string): PeopleList | ListProblem {
  if (text.trim() === '') return { message: 'required' }
  if (text.length > maxListLength) return { message: 'importTooLong' }
  // Excel's own separator declaration.
  const declared = /^sep=([;,\t])\r?\n/i.exec(text)
  const skipped = declared?.[0].length ?? 0
  const table = readCsv(text.slice(skipped), declared?.[1] ?? findSeparator(text))
  if (table.openQuoteAt !== undefined)
    return { message: 'importOpenQuote', line: table.openQuoteAt + (declared ? 1 : 0) }
  const records = table.records.map((record) => ({
    ...record,
    line: record.line + (declared ? 1 : 0),
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

/** The columns, if the record is a header: it has a known name and no email address. */
function readHeader(record: CsvRecord | undefined): (ColumnName | undefined)[] | undefined {
  if (!record || record.cells.some((cell) => cell.includes('@'))) return undefined
  const names = record.cells.map(columnOf)
  // If two columns have the same name, use the first.
  const once = names.map((name, index) => (names.indexOf(name) === index ? name : undefined))
  return once.some((name) => name !== undefined) ? once : undefined
}

/** Takes off the apostrophe that keeps a spreadsheet from calculating a cell, as our own export writes it. */
const withoutGuard = (text: string) => text.replace(/^'(?=[=+\-@＝＋－＠])/, '')

function readPerson(cells: readonly string[], order: readonly (ColumnName | undefined)[]) {
  const cell = (name: ColumnName) => withoutGuard(cells[order.indexOf(name)]?.trim() ?? '')
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
