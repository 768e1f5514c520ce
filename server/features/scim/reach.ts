import type { StoredUser } from '#server/accounts/stored-user.repository.ts'

/**
 * What the directory of an organisation may change of somebody: nothing of who is no member, and of who runs the portal; the
 * membership of who belongs to other organisations as well; all that an admin may, of who belongs to this one alone.
 */
export type Reach = 'none' | 'untouched' | 'membership' | 'all'

export function reachOf({ operates, organizations }: StoredUser, organizationId: string): Reach {
  if (!organizations.some((one) => one.organizationId === organizationId)) return 'none'
  const ofMember: Reach = organizations.length === 1 ? 'all' : 'membership'
  return operates ? 'untouched' : ofMember
}
