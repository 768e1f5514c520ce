import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False in the prerendered page and while React takes it over, true afterwards. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
