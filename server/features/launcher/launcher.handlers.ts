import { type Actor, administersService, belongsTo } from '#contract/actor.ts'
import { launcher } from '#contract/launcher/launcher.ts'
import { asksForTwo } from '#contract/login-methods.ts'
import type { OwnMembership } from '#contract/session/session.ts'
import { listCountingFactors } from '#server/accounts/counting-factors.repository.ts'
import { listCurrentMemberships } from '#server/accounts/roles.repository.ts'
import { listAskedReviews } from '#server/features/access-reviews/access-reviews.ts'
import { listOwnInvitations } from '#server/features/invitations/invitations.ts'
import { listCurrentNotices } from '#server/features/notices/notices.ts'
import { readCurrentUser } from '#server/features/session/session.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { launchService } from './launch.ts'
import {
  findAccount,
  findMembership,
  findOwnService,
  listAdminServices,
  listLauncherServices,
  savePreference,
} from './launcher.repository.ts'
import { findMissingService, listRequestable } from './missing-services.repository.ts'
import { listUsedFeatures } from './used-features.repository.ts'

export const launcherHandlers: Handlers<typeof launcher> = {
  start: async ({ db, session, keys, now }) => {
    const { user, actor } = session
    const own = { user: await readCurrentUser(keys, session) }
    const organizationIds = organizationsOf(actor)
    if (user.passwordMustChange || user.mustEnrol)
      return { ...own, organizations: [], services: [], requestable: [], invitations: [], notices: [], reviews: [] }
    return {
      ...own,
      organizations: await listOwnMemberships(db, session),
      services: await listLauncherServices(db, user.accountId, organizationIds),
      requestable: await listRequestable(db, { accountId: user.accountId, organizationIds }),
      invitations: await listOwnInvitations(db, user.accountId, now),
      notices: await listCurrentNotices(db, organizationIds, now),
      reviews: await listAskedReviews(db, actor),
    }
  },
  organizations: async ({ db, params, session }) => {
    found(await findAccount(db, params.id))
    if (params.id === session.actor.accountId) return listOwnMemberships(db, session)
    return (await listCurrentMemberships(db, params.id)).map((membership) => ({ ...membership, needs: null }))
  },
  adminServices: async ({ db, params, actor }) => {
    found(await findAccount(db, params.id))
    const services = await listAdminServices(db, params.id)
    return params.id === actor.accountId
      ? services.filter(({ organizationId }) => belongsTo(actor, organizationId))
      : services
  },
  services: async ({ db, params, actor }) => {
    const { accountId, organizationId } = params
    found(await findMembership(db, params))
    const services = await listLauncherServices(db, accountId, [organizationId])
    // What somebody likes and uses is not for their admins.
    return accountId === actor.accountId
      ? services
      : services.map((service) => ({ ...service, favourite: false, lastUsed: null }))
  },
  requestable: async ({ db, params, actor }) =>
    listRequestable(db, { accountId: actor.accountId, organizationIds: [params.id] }),
  missingService: async ({ db, params, actor }) =>
    found(await findMissingService(db, { accountId: actor.accountId, organizationIds: [params.id] }, params.serviceId)),
  setFavourite: async ({ db, params, input, actor }) => {
    const own = { accountId: actor.accountId, serviceId: params.serviceId }
    found(await findOwnService(db, { ...own, organizationIds: organizationsOf(actor) }))
    await savePreference(db, { ...own, favourite: input.favourite })
    return undefined
  },
  launch: launchService,
}

const organizationsOf = (actor: Actor) => actor.organizations.map((own) => own.organizationId)

/** With what each asks for beyond this session: its name is all that the session learns of such an organisation. */
async function listOwnMemberships(db: Db, { actor, heldBack }: Session): Promise<OwnMembership[]> {
  const needs = new Map(heldBack.organizations.map((one) => [one.organizationId, one.needs]))
  const memberships = await listCurrentMemberships(db, actor.accountId)
  const counting = needs.size > 0 ? await listCountingFactors(db, actor.accountId) : new Map()
  const lookedAfter = memberships.filter(
    ({ organizationId, userRole, roles, scoped }) =>
      !needs.has(organizationId) &&
      (userRole !== 'regular' || roles || scoped || administersService(actor, { organizationId })),
  )
  const used = await listUsedFeatures(
    db,
    lookedAfter.map(({ organizationId }) => organizationId),
  )
  return memberships.map((one) => {
    const uses = used.get(one.organizationId)
    const asked = needs.get(one.organizationId) ?? null
    const factors = asked && asksForTwo(asked) ? counting.get(one.organizationId) : undefined
    return { ...one, needs: asked, ...(factors && { factors }), ...(uses && { uses }) }
  })
}

export const createCallGroups: CreateCallGroups = () => [callGroup(launcher, launcherHandlers)]
