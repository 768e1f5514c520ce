import { useSyncExternalStore } from 'react'
import { organizationKey, storedOrganization, writeOrganization } from './stored-organization.ts'

const listeners = new Set<() => void>()

export function storeOrganization(organizationId: string): void {
  writeOrganization(organizationId)
  for (const listener of listeners) listener()
}

/** Follows the choice, also when another tab makes it. */
export const useStoredOrganization = () => useSyncExternalStore(subscribe, storedOrganization)

function subscribe(listener: () => void) {
  const other = (event: StorageEvent) => {
    if (event.key === organizationKey || event.key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', other)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', other)
  }
}
