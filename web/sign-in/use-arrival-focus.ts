import { type RefObject, useEffect } from 'react'

/**
 * Puts the focus where the typing, or the next try, begins, once `ready`: with a mouse and a keyboard only, because on a
 * phone the screen keyboard would cover half of a page that nobody has seen yet. Whoever is faster than the script keeps
 * their place.
 */
export function useArrivalFocus(place: RefObject<HTMLElement | null>, ready = true): void {
  useEffect(() => {
    if (!ready || document.activeElement !== document.body) return
    if (matchMedia('(pointer: fine)').matches) place.current?.focus()
  }, [place, ready])
}
