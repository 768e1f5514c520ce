import { useRef } from 'react'

interface ResultsAnnouncedProps {
  /** What was asked for, as one text: search and filters. */
  asked: string
  /** The results on the page are those of it. */
  settled: boolean
  /** "12 results". */
  text: string
}

/** Tells screen readers what a search or filter has found. The first results of a page are not announced: they are the page. */
export function ResultsAnnounced({ asked, settled, text }: ResultsAnnouncedProps) {
  const { current: first } = useRef({ asked, changed: false })
  if (asked !== first.asked) first.changed = true
  return (
    <p className="vh" role="status">
      {first.changed && settled && text}
    </p>
  )
}
