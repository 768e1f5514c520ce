// The months by their first letters, in Swedish, English, Finnish and French.
const months = [
  /^jan|^tammi/,
  /^feb|^fév|^fev|^helmi/,
  /^mar(?!ra)|^maalis/,
  /^apr|^avr|^huhti/,
  /^maj|^may|^mai|^touko/,
  /^jun|^juin|^kesä/,
  /^jul|^juil|^heinä/,
  /^aug|^aoû|^aou|^elo/,
  /^sep|^syys/,
  /^okt|^oct|^loka/,
  /^nov|^marras/,
  /^dec|^déc|^joulu/,
]
const monthOf = (word: string) => months.findIndex((month) => month.test(word)) + 1

/** 30 December 1899, from which Excel counts days. */
const serialStart = Date.UTC(1899, 11, 30)

/**
 * A day as a spreadsheet or a payroll system writes it, as `2027-12-31`. What is no day, or could be two (`01/02/2027`), stays as it is,
 * and the server refuses it.
 */
export function readDay(written: string): string {
  const text = written.normalize('NFC').trim().toLowerCase()
  // The time of day, as Excel and .NET add it.
  const day = text.replace(
    /(?<=\d)(?:t|,?\s+)(?:(?:klo?\.?|à)\s*)?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:[.,]\d+)?\s*(?:am|pm|z|[+-]\d{2}:?\d{2})?$/,
    '',
  )
  const serial = /^([3-7]\d{4})(?:[.,]\d+)?$/.exec(day)
  if (serial) return new Date(serialStart + Number(serial[1]) * 86_400_000).toISOString().slice(0, 10)
  const [first = '', second = '', third = ''] =
    /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})\.?$|^(\d{4})(\d{2})(\d{2})$/.exec(day)?.slice(1).filter(Boolean) ?? []
  if (first) return iso(first, second, third) ?? written
  const [, one = '', sign = '', two = '', year = ''] = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4})\.?$/.exec(day) ?? []
  // With dots the day comes first everywhere; else it must show by itself.
  if (year && (sign === '.' || Number(one) > 12 || one === two)) return iso(year, two, one) ?? written
  if (year) return Number(two) > 12 ? (iso(year, one, two) ?? written) : written
  return inWords(day) ?? written
}

/** `31 december 2027`, `31-Dec-2027`, `December 31, 2027`. */
function inWords(text: string): string | undefined {
  const parts = text
    .split(/[\s.,/-]+/)
    .filter((part) => part !== '' && !/^(?:den|le|the|of|\p{L}+(?:dag|day|di|tai|na))$/u.test(part))
  const numbers = parts
    .map((part) => /^(\d+)(?:st|nd|rd|th|er|:?e|:?a)?$/.exec(part)?.[1])
    .filter((part) => part !== undefined)
  const words = parts.filter((part) => !/^\d/.test(part))
  const [year, day] = [numbers.find((one) => one.length === 4), numbers.find((one) => one.length <= 2)]
  const month = words.length === 1 && parts.length === 3 ? monthOf(words[0] ?? '') : 0
  return month > 0 && year && day ? iso(year, String(month), day) : undefined
}

function iso(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text) ? undefined : text
}
