import type { DemoInvitation } from './add-demo-invitations.ts'
import type { DemoAccount } from './add-demo-people.ts'

/** What the demo consists of, for its story. */
export interface DemoWorld {
  samlConfig: { id: number; name: string; domain: string }
  organizationIds: ReadonlyMap<string, string>
  accounts: readonly DemoAccount[]
  invitations: readonly DemoInvitation[]
}
