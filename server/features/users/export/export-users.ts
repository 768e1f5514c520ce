import { readAtHome } from '#contract/actor.ts'
import type { TextFile } from '#contract/route.ts'
import type { userExports } from '#contract/users/user-exports.ts'
import type { UserFilters } from '#contract/users/user-filters.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { listRoleKeys } from '#server/features/service-roles/service-roles.ts'
import { csvLine, csvStart } from '#server/platform/csv.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { found } from '#server/platform/problem.ts'
import { rowsOfEveryone, rowsOfOrganization } from '../user-lists.repository.ts'
import { toSummaries, type Visible, visibleOfEverybody, visibleOrganizations } from '../user-lists.ts'
import { findOffer, findOrganization } from '../users.repository.ts'
import { exportColumns, fileNameOf } from './export-columns.ts'
import {
  findGroupName,
  findRoleName,
  findServiceName,
  hasGroups,
  hasMoreRoles,
  readIdsInOrder,
} from './export-users.repository.ts'

type AllContext = RequestContext<typeof userExports.all>
type OrganizationContext = RequestContext<typeof userExports.ofOrganization>
type Context = AllContext | OrganizationContext

// Few enough to wait for, enough to be quick.
const peopleAtATime = 500

/** All users that match, as a file. */
async function exportAllUsers(context: AllContext): Promise<TextFile> {
  const { db, query, now } = context
  const { organizationId } = query
  const organization = organizationId ? await findOrganization(db, organizationId) : undefined
  await recordExport(context, { organization, organizationIds: [] })
  const visible = visibleOfEverybody(context)
  const parts = rowsOfEveryone({ query: { ...query, page: 1 }, now, ...visible })
  const shown = await shownColumns(db, organizationId)
  return toFile(context, { parts, visible, name: organization?.name, shown })
}

/** The people of an organisation that match, as a file. */
async function exportOrganizationUsers(context: OrganizationContext): Promise<TextFile> {
  const { db, query, params, now, actor } = context
  const organization = found(await findOrganization(db, params.id))
  const { organizationId, name } = organization
  const organizationIds = readAtHome(actor, 'readPeople', organizationId)
  await recordExport(context, { organization, organizationIds })
  const visible = visibleOrganizations(context, organizationId)
  const parts = rowsOfOrganization({ query: { ...query, page: 1 }, now }, { ...visible, organizationId })
  const shown = await shownColumns(db, organizationId)
  return toFile(context, { parts, visible: { ...visible, servicesIn: { organizationId } }, name, shown })
}

/** Where nobody uses groups or roles, nobody sees them. */
const shownColumns = async (db: Context['db'], organizationId: string | undefined) => ({
  withGroups: await hasGroups(db, organizationId),
  withRoles: await hasMoreRoles(db, organizationId),
  organizationId,
})

interface Exported {
  organization: { organizationId: string; name: string } | undefined
  /** Whose log has it. */
  organizationIds: readonly string[]
}

/** Before the first byte: what has left the portal is in the log. */
async function recordExport(context: Context, { organization, organizationIds }: Exported): Promise<void> {
  const { db, query, transact } = context
  const {
    searchQuery,
    status,
    loginMethod,
    role,
    serviceId,
    groupId,
    lastActiveBefore,
  }: UserFilters & { searchQuery: string } = query
  // The organisation's admins, who read this event, are not to learn what services elsewhere are called.
  const mayName = serviceId && (!organization || (await findOffer(db, { ...organization, serviceId })))
  const group = (groupId && (await findGroupName(db, groupId, organization))) || groupId
  // The id of a role of an organisation's own.
  const roleName = (role?.includes('-') && (await findRoleName(db, role, organization))) || role
  const service = (mayName && (await findServiceName(db, serviceId))) || serviceId
  await transact(async (_, audit) =>
    audit({
      name: 'exportUsers',
      ...(organization && { target: { id: organization.organizationId, label: organization.name } }),
      after: { searchQuery, status, loginMethod, role: roleName, service, group, lastActiveBefore },
      organizationIds,
    }),
  )
}

interface Export {
  parts: Parameters<typeof readIdsInOrder>[1]['parts']
  visible: Visible
  name: string | undefined
  shown: Parameters<typeof exportColumns>[1]
}

function toFile(context: Context, { parts, visible, name, shown }: Export): TextFile {
  const { session, http, now, query } = context
  const language = session.user.preferredLanguage ?? detectLanguage(http.request)
  const columns = exportColumns(language, shown)
  const { sortDirection } = query
  async function* lines() {
    yield csvStart + csvLine(columns.map(({ header }) => header))
    for await (const ids of readIdsInOrder(context.db, { parts, sortDirection, limit: peopleAtATime })) {
      const people: UserSummary[] = await toSummaries(context, ids, visible)
      const rolesOf = await listRoleKeys(context.db, ids, visible.servicesIn?.organizationId)
      yield people
        .map((person) => ({ ...person, rolesIn: rolesOf(person.accountId) }))
        .map((person) => csvLine(columns.map(({ cell }) => cell(person))))
        .join('')
    }
  }
  return { fileName: fileNameOf(language, name, now), lines: lines() }
}

export const userExportsHandlers: Handlers<typeof userExports> = {
  all: exportAllUsers,
  ofOrganization: exportOrganizationUsers,
}
