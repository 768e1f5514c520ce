import { dateText, dateTimeText } from './dates.ts'
import { useLanguage } from './i18n.ts'

interface DayProps {
  /** A moment. */
  at: string
  className?: string | undefined
}

/** The day of a moment in a column; the pointer is told its time. */
export function Day({ at, className }: DayProps) {
  const language = useLanguage()
  return (
    <time dateTime={at} title={dateTimeText(at, language)} className={className}>
      {dateText(at, language)}
    </time>
  )
}
