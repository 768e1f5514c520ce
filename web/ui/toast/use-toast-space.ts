import { type RefObject, useEffect } from 'react'

/**
 * Tells the page how much room the notifications take: an open dialog leaves it free, so that they cover none of its
 * buttons.
 */
export function useToastSpace(region: RefObject<HTMLElement | null>, mounted: boolean): void {
  useEffect(() => {
    const place = region.current
    if (!mounted || !place) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--toast-space', `${place.offsetHeight}px`))
    observer.observe(place)
    return () => {
      observer.disconnect()
      style.removeProperty('--toast-space')
    }
  }, [region, mounted])
}
