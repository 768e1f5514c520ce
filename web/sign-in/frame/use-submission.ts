import { useEffect, useRef, useState } from 'react'

interface Submission {
  submitting: boolean
  /** False while a submission is under way: a second click must send nothing. */
  begin: () => boolean
  end: () => void
}

/** Whether a form is being sent. The browser may restore the page from its cache, and the form can be sent again then. */
export function useSubmission(): Submission {
  const [submitting, setSubmitting] = useState(false)
  // Two clicks can come before React has rendered the first one.
  const underWay = useRef(false)
  const set = (next: boolean) => {
    underWay.current = next
    setSubmitting(next)
  }
  const end = () => set(false)
  useEffect(() => {
    addEventListener('pageshow', end)
    return () => removeEventListener('pageshow', end)
  })
  const begin = () => {
    if (underWay.current) return false
    set(true)
    return true
  }
  return { submitting, begin, end }
}
