import { passiveUsers } from '#contract/passive-users.ts'
import { users } from '#contract/users.ts'
import { findInvitedPerson, withdrawInvitationsTo } from '#server/features/invitations/invitations.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { createUser } from './create-user.ts'
import { deleteInvitee, toVisibleInvitee, withdrawInvitee } from './invited-person.ts'
import { askLastAdmin } from './last-admin.ts'
import { removeMembership } from './memberships.repository.ts'
import { passivePreviewHandlers } from './passive-preview.ts'
import { assignService, revokeService, setServices } from './set-services.ts'
import { updateUser } from './update-user.ts'
import { forAudit, labelled, organizationIdsOf, organizationsText, servicesText } from './user-audit.ts'
import { listUsers, listUsersOfOrganization, listUsersOfService } from './user-lists.ts'
import { findUser, lockUser, raiseVersion, removeUser, setLastActive } from './users.repository.ts'
import { targetOf, toVisibleUser, visibleRoles } from './visible-user.ts'

/** People, as super users and admins see and change them. */
export function usersHandlers(provider: MountedProvider): Handlers<typeof users> {
  return {
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
    update: (context) => updateUser(context, provider),
    remove: (context) => eraseUser(context, provider),
    setLastActive: updateLastActive,
    setServices,
    leave: leaveOrganization,
    assignService,
    revokeService,
  }
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

async function eraseUser(context: RequestContext<typeof users.remove>, provider: MountedProvider): Promise<undefined> {
  const { params, actor, keys, transact } = context
  if (params.id === actor.accountId) throw new Problem(403, 'ownAccount')
  if (!(await findUser(context.db, params.id))) {
    await deleteInvitee(context)
    return undefined
  }
  const ended = await transact(async (db, audit) => {
    const before = found(await lockUser(db, params.id))
    const services = await endAllSessions(db, before.accountId)
    await removeUser(db, before.accountId)
    await withdrawInvitationsTo(db, before.email)
    audit({
      name: 'deleteUser',
      target: labelled(before),
      before: await forAudit(keys, before),
      organizationIds: organizationIdsOf(before),
    })
    return services
  })
  provider.tellServices(ended)
  return undefined
}

async function updateLastActive(context: RequestContext<typeof users.setLastActive>): Promise<undefined> {
  const { db, params, now, audit } = context
  const before = found(await lockUser(db, params.id))
  const target = targetOf(before)
  context.allow('readUser', target)
  context.require('administerUser', target)
  // A date decides in all organisations when the person becomes passive.
  if (params.value !== 'now') context.require('updateUser', target)
  const lastActive = params.value === 'now' ? now : new Date(params.value)
  if (lastActive > now)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'value', message: 'notInFuture' }] })
  if (before.passiveAt === null && before.lastActive?.getTime() === lastActive.getTime()) return undefined
  await setLastActive(db, before.accountId, lastActive)
  audit({
    name: 'updateUser',
    target: labelled(before),
    before: { lastActive: before.lastActive, passive: before.passiveAt !== null },
    after: { lastActive, passive: false },
    organizationIds: organizationIdsOf(before),
  })
  return undefined
}

async function leaveOrganization(context: RequestContext<typeof users.leave>): Promise<undefined> {
  const { db, params, query, actor, audit } = context
  const { userId: accountId, organizationId } = params
  const user = await lockUser(db, accountId)
  if (!user) {
    await withdrawInvitee(context)
    return undefined
  }
  const membership = found(user.organizations.find((one) => one.organizationId === organizationId))
  await askLastAdmin(db, actor, { accountId, membership, query })
  await removeMembership(db, { accountId, organizationId })
  await raiseVersion(db, accountId)
  audit({
    name: 'removeUser',
    target: labelled(user),
    before: {
      organizations: organizationsText([membership]),
      services: servicesText(user.services.filter((one) => one.organizationId === organizationId)),
    },
    organizationIds: [organizationId],
  })
  return undefined
}

export const createCallGroups: CreateCallGroups = ({ provider }) => [
  callGroup(users, usersHandlers(provider)),
  callGroup(passiveUsers, passivePreviewHandlers),
]
