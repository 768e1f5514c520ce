import { maxImportedRows, type PastedRow } from '#contract/invitations/bulk-invitations.ts'
import { readName, readRecipients } from './address-list.ts'
import { type ColumnName, columns, columnsOf, roleOf } from './columns.ts'
import { type CsvRecord, findSeparator, readCsv } from './csv.ts'
import { isNoPerson } from './not-a-person.ts'
import { primaryAddress } from './primary-address.ts'
import { readDay } from './written-day.ts'

/** Maximum characters of a list: far more than 500 users need, and still fast to parse. */
const maxListLength = 500_000

/** A user in the list, with the position in the text. */
export interface ListedPerson extends Pick<CsvRecord, 'line' | 'start' | 'end'> {
  row: PastedRow
  /** A cell beyond the last column has content. */
  overlong: boolean
  /** Further addresses of the same person, which are not used. */
  unused: readonly string[]
}

export interface PeopleList {
  people: readonly ListedPerson[]
  /** The text before the first user: the header. */
  head: string
  /** Headers of columns that the import does not use. */
  ignored: readonly string[]
  /** Lines that are no person: titles above the header, sums below. */
  leftOut: readonly string[]
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
    return {
      people: recipients.map((one) => ({ ...one, overlong: false, unused: [] })),
      head: '',
      ignored: [],
      leftOut: [],
    }
  }
  // Excel's own separator declaration.
  const declared = /^sep=([;,|\t])\r?\n/i.exec(text)
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
  const body = records.slice(at + 1)
  if (body.length === 0) return { message: 'importOnlyHeader' }
  const rows = body.filter((record) => !isNoPerson(record))
  if (header && !header.includes('email')) return { message: 'importNoEmailColumn' }
  const order = header ?? orderOf(rows.find(hasAddress))
  if (rows.length === 0) return { message: 'importOnlyHeader' }
  if (rows.length > maxImportedRows) return { message: 'importTooManyRows', count: rows.length }
  const left = [...records.slice(0, Math.max(at, 0)), ...body.filter(isNoPerson)]
  return {
    people: rows.map(({ cells, line, start, end }) => ({ ...readPerson(cells, order), line, start, end })),
    head: text.slice(0, rows[0]?.start ?? 0),
    ignored: header ? (records[at]?.cells ?? []).filter((cell, index) => cell.trim() !== '' && !header[index]) : [],
    leftOut: left.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').join(' ')),
  }
}

const hasAddress = ({ cells }: CsvRecord) => cells.some((cell) => cell.includes('@'))

/** The header, and its place: titles may stand above it. Without one the place is -1. */
function findHeader(records: readonly CsvRecord[]) {
  const firstPerson = records.findIndex(hasAddress)
  const before = firstPerson === -1 ? records.slice(0, 1) : records.slice(0, firstPerson)
  const wide = Math.min(2, filled(records[firstPerson]))
  const addressAt = (place: number) => records.some(({ cells }) => cells[place]?.includes('@'))
  const headers = before
    .map((record, at) => ({ header: columnsOf(record.cells, addressAt), at, is: filled(record) >= wide }))
    .filter(({ header, is }) => is && header.some((name) => name !== undefined))
  return headers.find(({ header }) => header.includes('email')) ?? headers[0] ?? { header: undefined, at: -1 }
}

const filled = (record: CsvRecord | undefined) => record?.cells.filter((cell) => cell.trim() !== '').length ?? 0

/** What stands in which column without a header: the names may stand before the address, in one column or two. */
function orderOf(first: CsvRecord | undefined): readonly (ColumnName | undefined)[] {
  const at = first?.cells.findIndex((cell) => cell.includes('@')) ?? 0
  // `Öberg, Åsa,asa@x.se`: a comma of the name, and not of the list.
  const [, second = '', third = ''] = first?.cells ?? []
  if (at === 2 && /^\s/.test(second) && !/^\s/.test(third))
    return ['lastName', 'firstName', 'email', 'services', 'userRole']
  if (at === 1) return ['name', 'email', 'services', 'userRole']
  return at === 2 ? ['firstName', 'lastName', 'email', 'services', 'userRole'] : columns
}

/**
 * Takes off what keeps a spreadsheet from calculating a cell: an apostrophe, as our own export writes it, or a formula that is only
 * a text, `="00123"`.
 */
const withoutGuard = (text: string) => text.replace(/^'(?=[=+\-@＝＋－＠])/, '').replace(/^="([^"]*)"$/, '$1')

/** `Öberg, Åsa` without quotes in a list with commas: the address is one place too late. */
function withWholeName(cells: readonly string[], order: readonly (ColumnName | undefined)[]): readonly string[] {
  const [name, email] = [order.indexOf('name'), order.indexOf('email')]
  const found = cells.findIndex((cell) => cell.includes('@'))
  if (name === -1 || name > email || found !== email + 1) return cells
  return [...cells.slice(0, name), cells.slice(name, name + 2).join(','), ...cells.slice(name + 2)]
}

function readPerson(written: readonly string[], order: readonly (ColumnName | undefined)[]) {
  const cells = withWholeName(written, order)
  const cell = (name: ColumnName) => withoutGuard(cells[order.indexOf(name)]?.trim() ?? '')
  // Spreadsheets break the lines of a cell; a name is one line.
  const name = (of: ColumnName) => cell(of).replaceAll(/\s+/g, ' ')
  const names = (of: ColumnName) =>
    cell(of)
      .split(/[|;\r\n]/)
      .map((one) => one.trim())
      .filter((one) => one !== '')
  const { email, unused } = primaryAddress(cell('email'))
  const row: PastedRow = {
    email,
    ...(order.includes('name')
      ? readName(name('name'), email)
      : { firstName: name('firstName'), lastName: name('lastName') }),
    services: names('services'),
    ...(order.includes('groups') && { groups: names('groups') }),
    userRole: roleOf(cell('userRole')),
    ...(order.includes('validFrom') && { validFrom: readDay(cell('validFrom')) }),
    ...(order.includes('validUntil') && { validUntil: readDay(cell('validUntil')) }),
  }
  return { row, unused, overlong: cells.slice(order.length).some((extra) => extra.trim() !== '') }
}
