import { useEffect, useRef, useState } from 'react'

interface Leaving {
  leaving: boolean
  /** False when the form was sent already: a second click must send nothing. */
  leave: () => boolean
  stay: () => void
}

/** Whether a form has been sent; it has not any more when the browser brings the page back from its cache. */
export function useLeaving(): Leaving {
  const [leaving, setLeaving] = useState(false)
  // Two clicks can come before React has drawn the first one.
  const left = useRef(false)
  const set = (next: boolean) => {
    left.current = next
    setLeaving(next)
  }
  const stay = () => set(false)
  useEffect(() => {
    addEventListener('pageshow', stay)
    return () => removeEventListener('pageshow', stay)
  })
  const leave = () => {
    if (left.current) return false
    set(true)
    return true
  }
  return { leaving, leave, stay }
}
