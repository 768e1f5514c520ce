import { useEffect, useState } from 'react'

/** Whether a form has been sent; it has not any more when the browser brings the page back from its cache. */
export function useLeaving(): [leaving: boolean, leave: () => void, stay: () => void] {
  const [leaving, setLeaving] = useState(false)
  const leave = () => setLeaving(true)
  const stay = () => setLeaving(false)
  useEffect(() => {
    addEventListener('pageshow', stay)
    return () => removeEventListener('pageshow', stay)
  })
  return [leaving, leave, stay]
}
