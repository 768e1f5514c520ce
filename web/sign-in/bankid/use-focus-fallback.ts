import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** When the focused button of `area` disappears, the focus moves to `rest` instead of to the document. */
export function useFocusFallback(area: RefObject<HTMLElement | null>, rest: RefObject<HTMLElement | null>): void {
  const place = useRef<Element>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      place.current = target as Element
    }
    const element = area.current
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [area])
  useLayoutEffect(() => {
    if (!place.current || place.current.isConnected) return
    place.current = null
    if (document.activeElement === document.body) rest.current?.focus()
  })
}
