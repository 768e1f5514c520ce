import { createContext } from 'react'

/** The dialog of an organisation, for the dialogs above it. */
interface Open {
  organization: { organizationId: string; name: string }
  /** Has unsaved changes. */
  dirty: boolean
  /** Takes a configuration that was made for it. */
  onPrepared: (samlConfigId: number) => void
}

export const OpenOrganization = createContext<Open | undefined>(undefined)
