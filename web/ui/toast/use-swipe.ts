import { type PointerEvent, useRef } from 'react'

/** How far to the right a toast must be pushed to leave, in px. */
const swipeThreshold = 50

/** Follows a finger or the mouse to the right; from the threshold on, letting go dismisses. */
export function useSwipe(onDismiss: () => void) {
  const ref = useRef<HTMLDivElement>(null)
  const start = useRef<number | null>(null)

  const move = (pixels: number) => ref.current?.style.setProperty('--swipe', `${pixels}px`)
  const end = (event: PointerEvent, dismissible: boolean) => {
    if (start.current === null) return
    const distance = event.clientX - start.current
    start.current = null
    ref.current?.removeAttribute('data-swiping')
    if (dismissible && distance >= swipeThreshold) onDismiss()
    else move(0)
  }

  return {
    ref,
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.button !== 0 || (event.target as Element).closest('button, a')) return
      start.current = event.clientX
      event.currentTarget.setPointerCapture(event.pointerId)
      event.currentTarget.setAttribute('data-swiping', '')
    },
    onPointerMove(event: PointerEvent) {
      if (start.current !== null) move(Math.max(0, event.clientX - start.current))
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
  }
}
