// Also read by spreadsheets where the comma or the tab separates.
const needsQuotes = /[",;\t\r\n]/
// What spreadsheets take for a formula, also in full-width characters.
const looksLikeFormula = /^[=+\-@\t\r＝＋－＠]/

/** The first characters of a file: spreadsheets then read UTF-8. */
export const csvStart = '\uFEFF'

/** A line of a file, with semicolons and CRLF. A text that a spreadsheet would calculate gets an apostrophe before it. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(csvCell).join(';')}\r\n`

function csvCell(value: string | null): string {
  if (!value) return ''
  const safe = looksLikeFormula.test(value) ? `'${value}` : value
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
