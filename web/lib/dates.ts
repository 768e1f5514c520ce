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

/** A day of the calendar (`2026-06-01`), in no particular time zone. */
export const dayText = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(dateLocales[language], {
    day: '2-digit',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day))

/** The day of a moment, short enough for a column, in the visitor's own time zone. */
export const shortDayText = (moment: string, language: Language): string =>
  new Intl.DateTimeFormat(dateLocales[language], { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(moment),
  )

/** "in 40 seconds", "in 5 minutes"; for waits, which are never shorter than they say. */
export function waitText(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 60 ? format.format(Math.ceil(seconds), 'second') : format.format(Math.ceil(seconds / 60), 'minute')
}
