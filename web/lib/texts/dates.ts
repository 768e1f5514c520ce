import { dateLocales, type Language } from '#contract/languages.ts'

const formats = new Map<Language, Intl.DateTimeFormat>()

/** Two-digit day, long month, year and the time of 24 hours, in the visitor's own time zone. */
export function dateTimeText(moment: string, language: Language): string {
  let format = formats.get(language)
  if (!format) {
    format = new Intl.DateTimeFormat(dateLocales[language], {
      day: '2-digit',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(language, format)
  }
  return format.format(new Date(moment))
}

const fullDay = { day: '2-digit', month: 'long', year: 'numeric' } as const

/** The day of a moment: "05 November 2026", in the visitor's own time zone. */
export const dateText = (moment: string, language: Language): string =>
  new Intl.DateTimeFormat(dateLocales[language], fullDay).format(new Date(moment))

/** A plain date, which belongs to no time zone: "5 Nov" on charts and chips, "05 November 2026" elsewhere. */
export function dayText(date: string, language: Language, length: 'short' | 'full' = 'short'): string {
  const options: Intl.DateTimeFormatOptions = length === 'full' ? fullDay : { day: 'numeric', month: 'short' }
  return new Intl.DateTimeFormat(dateLocales[language], { ...options, timeZone: 'UTC' }).format(new Date(date))
}

/** Months, as 2026-01 and 2026-11: "January – November 2026", or "January 2026" where both are the same. */
export const monthsText = (first: string, last: string, language: Language): string =>
  new Intl.DateTimeFormat(dateLocales[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).formatRange(
    new Date(`${first}-01`),
    new Date(`${last}-01`),
  )

/** Today's date in Sweden, which counts for first and last days: `2026-12-31`. */
export const todayInSweden = (): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Stockholm' }).format(new Date())

/** "in 40 seconds", "in 5 minutes"; for waits, which are never shorter than they say. */
export function waitText(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 60 ? format.format(Math.ceil(seconds), 'second') : format.format(Math.ceil(seconds / 60), 'minute')
}

/** The day of a moment as a heading: "Sunday 22 November 2026", in the visitor's own time zone. */
export function longDayText(moment: string, language: Language): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocales[language], options).format(new Date(moment))
  // Within a date, Finnish inflects the weekday: "on Sunday".
  const weekday = part({ weekday: 'long' })
  const day = part(fullDay)
  return `${weekday.charAt(0).toLocaleUpperCase(language)}${weekday.slice(1)} ${day}`
}

/** The time of a moment: "14:05". */
export const timeText = (moment: string, language: Language): string =>
  new Intl.DateTimeFormat(dateLocales[language], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(moment),
  )
