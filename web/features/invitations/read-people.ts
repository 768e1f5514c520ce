import { bareAddress } from '#contract/fields/as-written.ts'
import { maxImportedRows, type PastedRow } from '#contract/invitations/bulk-invitations.ts'
import { readName, readRecipients } from './address-list.ts'
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
  const recipients = readRecipients(text)
  if (recipients) {
    if (recipients.length > maxImportedRows) return { message: 'importTooManyRows', count: recipients.length }
    return { people: recipients.map((one) => ({ ...one, overlong: false })), head: '', ignored: [] }
  }
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

  const { header, at } = findHeader(records)
  if (header && !header.includes('email')) return { message: 'importNoEmailColumn' }
  const rows = records.slice(at + 1)
  const order = header ?? orderOf(rows[0])
  if (rows.length === 0) return { message: 'importOnlyHeader' }
  if (rows.length > maxImportedRows) return { message: 'importTooManyRows', count: rows.length }
  return {
    people: rows.map(({ cells, line, start, end }) => ({ ...readPerson(cells, order), line, start, end })),
    head: text.slice(0, rows[0]?.start ?? 0),
    ignored: header ? (records[at]?.cells ?? []).filter((cell, index) => cell.trim() !== '' && !header[index]) : [],
  }
}

/** The header, and its place: titles may stand above it. Without one the place is -1. */
function findHeader(records: readonly CsvRecord[]) {
  const firstPerson = records.findIndex(({ cells }) => cells.some((cell) => cell.includes('@')))
  const before = firstPerson === -1 ? records.slice(0, 1) : records.slice(0, firstPerson)
  const headers = before.map((record, at) => ({ header: readHeader(record), at })).filter(({ header }) => header)
  return headers.find(({ header }) => header?.includes('email')) ?? headers[0] ?? { header: undefined, at: -1 }
}

/** What stands in which column without a header: the names may stand before the address, in one column or two. */
function orderOf(first: CsvRecord | undefined): readonly (Column | undefined)[] {
  const at = first?.cells.findIndex((cell) => cell.includes('@')) ?? 0
  if (at === 1) return ['name', 'email', 'services', 'userRole']
  return at === 2 ? ['firstName', 'lastName', 'email', 'services', 'userRole'] : columns
}

/** `name`: the whole one. */
type Column = ColumnName | 'name'

/** The columns, if the record is a header: it has a known name and no email address. */
function readHeader(record: CsvRecord | undefined): (ColumnName | undefined)[] | undefined {
  if (!record || record.cells.some((cell) => cell.includes('@'))) return undefined
  const names = record.cells.map(columnOf)
  // If two columns have the same name, use the first.
  const once = names.map((name, index) => (names.indexOf(name) === index ? name : undefined))
  return once.some((name) => name !== undefined) ? once : undefined
}

/**
 * Takes off what keeps a spreadsheet from calculating a cell: an apostrophe, as our own export writes it, or a formula that is only
 * a text, `="00123"`.
 */
const withoutGuard = (text: string) => text.replace(/^'(?=[=+\-@＝＋－＠])/, '').replace(/^="([^"]*)"$/, '$1')

function readPerson(cells: readonly string[], order: readonly (Column | undefined)[]) {
  const cell = (name: Column) => withoutGuard(cells[order.indexOf(name)]?.trim() ?? '')
  // Spreadsheets break the lines of a cell; a name is one line.
  const name = (of: Column) => cell(of).replaceAll(/\s+/g, ' ')
  const names = (of: Column) =>
    cell(of)
      .split(/[|;\r\n]/)
      .map((one) => one.trim())
      .filter((one) => one !== '')
  const email = bareAddress(cell('email'))
  const row: PastedRow = {
    email,
    ...(order.includes('name')
      ? readName(name('name'), email)
      : { firstName: name('firstName'), lastName: name('lastName') }),
    services: names('services'),
    ...(order.includes('groups') && { groups: names('groups') }),
    userRole: roleOf(cell('userRole')),
    ...(order.includes('validFrom') && { validFrom: cell('validFrom') }),
    ...(order.includes('validUntil') && { validUntil: cell('validUntil') }),
  }
  return { row, overlong: cells.slice(order.length).some((extra) => extra.trim() !== '') }
}
