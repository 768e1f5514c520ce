import { can } from '#contract/permissions.ts'
import type { endsOfPeople } from '#contract/users/what-ends.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { readEndsIn, readEndsOfPortal } from './what-ends.repository.ts'

/** What ends or waits when somebody loses their right: asked before they are removed, or their role is (product-rules 5.17). */
export const endsOfPeopleHandlers: Handlers<typeof endsOfPeople> = {
  everywhere: async ({ db, params, now }) => {
    const { accountId } = found(await findUser(db, params.id))
    const of = { accountId, now, isOperator: true }
    return { organizations: await readEndsIn(db, of), ...(await readEndsOfPortal(db, accountId)) }
  },
  inOrganization: async ({ db, params, now, actor }) => {
    const { userId: accountId, organizationId } = params
    const user = found(await findUser(db, accountId))
    found(user.organizations.find((one) => one.organizationId === organizationId))
    const of = { accountId, now, organizationId, isOperator: can(actor, 'readAllUsers') }
    return { organizations: await readEndsIn(db, of), streams: [], clients: [] }
  },
}
