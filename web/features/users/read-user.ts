import { users } from '#contract/users/users.ts'
import { freshQuery } from '#web/lib/requests/query.ts'

/** The user to read, and the organisation and service from which they were opened. */
export interface UserInContext {
  accountId: string
  organizationId?: string | undefined
  serviceId?: string | undefined
}

/** Reads a user with all details that the signed-in user may see. */
export const readUser = ({ accountId, organizationId = '-', serviceId = '-' }: UserInContext) =>
  freshQuery(users.read, { params: { userId: accountId, organizationId, serviceId } })
