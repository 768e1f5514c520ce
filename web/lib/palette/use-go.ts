import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import { cameFrom, openedFromPage } from '#web/lib/dialogs/dialog-route.ts'

/**
 * Goes to a page, or opens a dialog. With the page that lies below the dialog where that is the present one: its order
 * and search stay, and closing is a step back to it.
 */
export function useGo() {
  const router = useRouter()
  return (target: Pick<NavigateOptions, 'to' | 'params' | 'search'>, pageBelow?: string) => {
    const { location } = router.state
    const present = location.pathname === pageBelow
    const state = present ? openedFromPage : cameFrom(location)
    void router.navigate({ ...target, ...(present && { search: true }), state } as NavigateOptions)
  }
}
