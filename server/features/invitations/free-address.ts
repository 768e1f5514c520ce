import type { Ending } from '#server/accounts/end-user.ts'
import { lockYielding } from './account-at-address.repository.ts'
import { giveAddressBack } from './give-address-back.ts'

interface Wanted {
  email: string
  /** Whose own sign-in, or directory, names the person; the caller has checked that the address is in a domain of it. */
  organizationId: string
  /** The id of the account that takes the address. The caller creates it afterwards. */
  successorId: string
  now: Date
}

/**
 * Ends the account at an address where it makes way for the owner of the address (product-rules 11.5): nobody has proven the
 * address, and another organisation has opened the account. Its memberships wait as invitations.
 */
export async function freeAddress(ending: Ending, { email, organizationId, ...more }: Wanted): Promise<void> {
  const yielding = await lockYielding(ending.db, { email, organizationId })
  if (yielding) await giveAddressBack(ending, { ...yielding, ...more, email, joining: organizationId })
}
