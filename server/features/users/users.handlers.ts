import { passiveUsers } from '#contract/passive-users/passive-users.ts'
import { bulkUsers } from '#contract/users/bulk-users.ts'
import { userExports } from '#contract/users/user-exports.ts'
import { users } from '#contract/users/users.ts'
import { endsOfPeople } from '#contract/users/what-ends.ts'
import { endUser } from '#server/accounts/end-user.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { findInvitedPerson, withdrawInvitationsTo } from '#server/features/invitations/invitations.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { bulkUsersHandlers } from './bulk-users.ts'
import { createUser } from './create-user.ts'
import { userExportsHandlers } from './export/export-users.ts'
import { deleteInvitee, toVisibleInvitee } from './invited-person.ts'
import { updateLastActive } from './last-active.ts'
import { leaveOrganization } from './leave-organization.ts'
import { passivePreviewHandlers } from './passive-preview.ts'
import { revealSsn } from './reveal-ssn.ts'
import { assignService, setServices } from './set-services.ts'
import { revokeService } from './take-back-services.ts'
import { updateUser } from './update-user.ts'
import { listUsers, listUsersOfOrganization, listUsersOfService } from './user-lists.ts'
import { targetOf, toVisibleUser, visibleRoles } from './visible-user.ts'
import { endsOfPeopleHandlers } from './what-ends/what-ends.ts'

/** People, as super users and admins see and change them. */
export const usersHandlers: Handlers<typeof users> = {
  list: listUsers,
  ofOrganization: listUsersOfOrganization,
  ofService: listUsersOfService,
  read: readUser,
  services: async (context) => {
    const user = found(await findUser(context.db, context.params.id))
    context.allow('readUser', targetOf(user))
    return visibleRoles(context.actor, user).services
  },
  create: createUser,
  update: (context) => updateUser(context),
  remove: (context) => eraseUser(context),
  revealSsn,
  setLastActive: updateLastActive,
  setServices,
  leave: leaveOrganization,
  assignService,
  revokeService,
}

async function readUser(context: RequestContext<typeof users.read>) {
  const { db, params, keys, actor } = context
  const user = await findUser(db, params.userId)
  if (user) context.allow('readUser', targetOf(user))
  const seen = user
    ? await toVisibleUser(keys, actor, user)
    : toVisibleInvitee(context, found(await findInvitedPerson(db, params.userId)))
  const isThere = (wanted: string, ids: string[]) => wanted === '-' || ids.includes(wanted)
  const services = seen.services.filter((one) => isThere(params.organizationId, [one.organizationId]))
  // With an organisation or service in the query, the person must belong to it.
  const inOrganization = isThere(
    params.organizationId,
    seen.organizations.map((one) => one.organizationId),
  )
  const hasService = isThere(
    params.serviceId,
    services.map((one) => one.serviceId),
  )
  return found(inOrganization && hasService ? seen : undefined)
}

async function eraseUser(context: RequestContext<typeof users.remove>): Promise<undefined> {
  const { params, actor, keys, transact } = context
  if (params.id === actor.accountId) throw new Problem(403, 'ownAccount')
  if (!(await findUser(context.db, params.id))) {
    await deleteInvitee(context)
    return undefined
  }
  await transact(async (db, audit) => {
    const { email } = await endUser({ db, keys, audit }, params.id)
    await withdrawInvitationsTo(db, email)
  })
  return undefined
}

export const createCallGroups: CreateCallGroups = () => [
  callGroup(users, usersHandlers),
  callGroup(endsOfPeople, endsOfPeopleHandlers),
  callGroup(passiveUsers, passivePreviewHandlers),
  callGroup(bulkUsers, bulkUsersHandlers),
  callGroup(userExports, userExportsHandlers),
]
