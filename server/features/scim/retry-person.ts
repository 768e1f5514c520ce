import type { directories } from '#contract/scim/scim.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { admitPerson } from './admit-person.ts'
import { changeResource, takeInvitation } from './change-resource.ts'
import { findScimUser, lockScimUser } from './scim-users.repository.ts'

/** Tries again to make somebody a member, or to invite them: an admin asks for it in the log. */
export async function retryPerson(context: RequestContext<typeof directories.retry>): Promise<undefined> {
  const { db, params } = context
  const key = { organizationId: params.id, scimUserId: params.personId }
  const person = found(await findScimUser(db, key))
  const mayInvite = !person.active || (await takeInvitation(context, person))
  const logged = {
    ...key,
    // Who asked stands in the audit log, for those who may know it.
    directory: '',
    method: 'retry' as const,
    about: person.userName,
    status: 204,
  }
  await changeResource(context, logged, {
    mayInvite,
    change: async (work) => {
      const user = found(await lockScimUser(work.db, key))
      if (user.active) await admitPerson(work, user)
    },
  })
  return undefined
}
