import { useEffect } from 'react'

/**
 * Puts the focus into the control of this id, where the typing or the next attempt begins, once `ready`: with a mouse and
 * a keyboard only, because on a phone the screen keyboard would cover half of the page. The focus stays where it is for
 * someone who was faster than the script.
 */
export function useInitialFocus(id: string, ready = true): void {
  useEffect(() => {
    if (!ready || document.activeElement !== document.body) return
    if (matchMedia('(pointer: fine)').matches) document.getElementById(id)?.focus()
  }, [id, ready])
}
