import { useEffect, useRef } from 'react'

const checkEvery = 60_000
const signs = ['pointerdown', 'keydown', 'scroll'] as const

/** Once a minute, when somebody has used the page since the last time. */
export function useActivity(onActive: () => void, { paused }: { paused: boolean }) {
  const active = useRef(false)
  useEffect(() => {
    const note = () => {
      active.current = true
    }
    // Scrolling does not bubble: the capturing phase sees it inside dialogs, too.
    for (const sign of signs) addEventListener(sign, note, { capture: true, passive: true })
    return () => {
      for (const sign of signs) removeEventListener(sign, note, { capture: true })
    }
  }, [])
  useEffect(() => {
    if (paused) return
    const timer = setInterval(() => {
      if (!active.current) return
      active.current = false
      onActive()
    }, checkEvery)
    return () => clearInterval(timer)
  }, [onActive, paused])
}
