import type { ListedKey } from './passkeys.repository.ts'

/** A key as browsers take it in a list. */
export const descriptorOf = ({ credentialId, transports }: Pick<ListedKey, 'credentialId' | 'transports'>) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports,
})
