import type { Passkey } from '#contract/passkeys/passkeys.ts'
import type { ListedKey } from '#server/credentials/passkeys/passkeys.repository.ts'

/** A key as its owner sees it. */
export const describeKey = (key: ListedKey): Passkey => ({
  id: key.id,
  name: key.name,
  kind: key.discoverable ? 'passkey' : 'securityKey',
  backedUp: key.backedUp,
  createdAt: key.createdAt.toISOString(),
  createdBrowser: key.createdBrowser,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  lastUsedBrowser: key.lastUsedBrowser,
})

/** What the authenticator shows beside the address. */
export const displayNameOf = ({
  firstName,
  lastName,
  email,
}: {
  firstName: string | null
  lastName: string | null
  email: string
}): string => [firstName, lastName].filter(Boolean).join(' ') || email
