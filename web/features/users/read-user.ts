import { users } from '#contract/users.ts'
import { query } from '#web/lib/query.ts'

/** Whom, and as whose: an organisation and a service that the person was opened from. */
export interface UserInContext {
  accountId: string
  organizationId?: string | undefined
  serviceId?: string | undefined
}

/** A person in detail. Whoever opens it to change it wants to see it as it is now. */
export const readUser = ({ accountId, organizationId = '-', serviceId = '-' }: UserInContext) => ({
  ...query(users.read, { params: { userId: accountId, organizationId, serviceId } }),
  staleTime: 0,
})
