import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

// Kept in memory only: the theme is not among the values that the browser may store (product-rules 3.6, decision 0012).
// A reload follows the system again.
let theme: Theme = 'system'
const listeners = new Set<() => void>()

export function chooseTheme(next: Theme): void {
  theme = next
  const { dataset } = document.documentElement
  if (next === 'system') delete dataset.theme
  else dataset.theme = next
  for (const listener of listeners) listener()
}

export const useTheme = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
  )
