import { useState } from 'react'

export type LauncherView = 'cards' | 'list'
const key = 'launcherView'

/** Cards or list, as this browser last chose. Cards are not stored: nothing is kept until somebody wants another view. */
export function useLauncherView() {
  const [view, setView] = useState<LauncherView>(() => (stored() === 'list' ? 'list' : 'cards'))
  const choose = (next: LauncherView) => {
    setView(next)
    try {
      if (next === 'list') localStorage.setItem(key, next)
      else localStorage.removeItem(key)
    } catch {
      // Storage can be forbidden; then the choice lasts as long as the page.
    }
  }
  return [view, choose] as const
}

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
