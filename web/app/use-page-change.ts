import { useMatches, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * On another page the focus goes to its h1, and the window to its top, or, on Back and Forward, to where it was.
 * Opening and closing a dialog is no other page. Positions are kept in memory only.
 */
export function usePageChange() {
  const router = useRouter()
  const page = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => !staticData.dialog)?.pathname,
  })
  const shown = useRef(page)
  const scroll = useRef({ entry: entryOf(router), positions: new Map<string, number>(), target: 0 })

  useEffect(
    () =>
      router.history.subscribe(({ action }) => {
        const state = scroll.current
        // Told after the address has changed and before the screen has: this is still the old page's position.
        state.positions.set(state.entry, window.scrollY)
        state.entry = entryOf(router)
        const returned = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
        state.target = returned ? (state.positions.get(state.entry) ?? 0) : 0
      }),
    [router],
  )

  useEffect(() => {
    if (page === shown.current) return
    shown.current = page
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true })
    window.scrollTo({ top: scroll.current.target, behavior: 'instant' })
  }, [page])
}

const entryOf = (router: ReturnType<typeof useRouter>) => router.history.location.state.__TSR_key ?? ''
