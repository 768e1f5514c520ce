import type { CsvRecord } from './csv.ts'

// What stands at the end of a report, in four languages.
const summary =
  /^(?:antal|summa|summering|totalt?|delsumma|slut|utskriven|utskrivet|skapad|sida|källa|sum|subtotal|grand total|count|number of|end of|page|printed|generated|source|yhteensä|lukumäärä|summa|sivu|tulostettu|loppu|nombre|somme|total|sous-total|page|imprimé|fin)(?![\p{L}\p{N}@.-])/iu

/** A title, a line that sums up, a rule of dashes: text that cannot be a person, not even one whose address is wrong. */
export function isNoPerson({ cells }: Pick<CsvRecord, 'cells'>): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (filled.some((cell) => cell.includes('@'))) return false
  const [first = '', ...others] = filled
  const isCount = (cell: string) => !/\p{L}/u.test(cell)
  // `Antal: 2`, `2 personer`, `Utskrivet 2026-11-28`, `Personallista 2026`. A mistyped address has no blank, and a name no number.
  const isLabel = (cell: string) => summary.test(cell) || /:$/.test(cell) || (/\s/.test(cell) && /\d|:\s/.test(cell))
  return (isCount(first) || isLabel(first)) && others.every((cell) => isCount(cell) || isLabel(cell))
}
