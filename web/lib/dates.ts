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

/** A plain date, which belongs to no time zone: "22 Nov", or "22 November 2026". */
export function dayText(date: string, language: Language, length: 'short' | 'full' = 'short'): string {
  const options: Intl.DateTimeFormatOptions =
    length === 'full' ? { day: 'numeric', month: 'long', year: 'numeric' } : { day: 'numeric', month: 'short' }
  return new Intl.DateTimeFormat(dateLocales[language], { ...options, timeZone: 'UTC' }).format(new Date(date))
}

/** "in 40 seconds", "in 5 minutes"; for waits, which are never shorter than they say. */
export function waitText(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 60 ? format.format(Math.ceil(seconds), 'second') : format.format(Math.ceil(seconds / 60), 'minute')
}
