import { useEffect, useRef, useState } from 'react'

const SHOW_AFTER = 200
const STAY_AT_LEAST = 400

/** Follows `busy` without flicker: hides waits under 200 ms, and shows longer ones for at least 400 ms. */
export function useDelayedBusy(busy: boolean) {
  const [shown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (busy === shown) return
    const wait = busy ? SHOW_AFTER : Math.max(0, STAY_AT_LEAST - (performance.now() - since.current))
    const timer = setTimeout(() => {
      since.current = performance.now()
      setShown(busy)
    }, wait)
    return () => clearTimeout(timer)
  }, [busy, shown])
  return shown
}
