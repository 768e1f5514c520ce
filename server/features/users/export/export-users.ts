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
import { toSummaries, type Visible, visibleOrganizations } from '../user-lists.ts'
import { findOffer, findOrganization } from '../users.repository.ts'
import { exportColumns, fileNameOf } from './export-columns.ts'
import { findGroupName, findServiceName, hasGroups, readIdsInOrder } from './export-users.repository.ts'

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
  await recordExport(context, organization)
  const parts = rowsOfEveryone({ query: { ...query, page: 1 }, now })
  const withGroups = await hasGroups(db, organizationId)
  return toFile(context, { parts, visible: {}, name: organization?.name, withGroups })
}

/** The people of an organisation that match, as a file. */
async function exportOrganizationUsers(context: OrganizationContext): Promise<TextFile> {
  const { db, query, params, now } = context
  const organization = found(await findOrganization(db, params.id))
  await recordExport(context, organization)
  const { organizationId, name } = organization
  const visible = visibleOrganizations(context, organizationId)
  const parts = rowsOfOrganization({ query: { ...query, page: 1 }, now }, { ...visible, organizationId })
  const withGroups = await hasGroups(db, organizationId)
  return toFile(context, { parts, visible: { ...visible, servicesIn: { organizationId } }, name, withGroups })
}

/** Before the first byte: what has left the portal is in the log. */
async function recordExport(context: Context, organization?: { organizationId: string; name: string }): Promise<void> {
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
  const service = (mayName && (await findServiceName(db, serviceId))) || serviceId
  await transact(async (_, audit) =>
    audit({
      name: 'exportUsers',
      ...(organization && { target: { id: organization.organizationId, label: organization.name } }),
      after: { searchQuery, status, loginMethod, role, service, group, lastActiveBefore },
      organizationIds: organization ? [organization.organizationId] : [],
    }),
  )
}

interface Export {
  parts: Parameters<typeof readIdsInOrder>[1]['parts']
  visible: Visible
  name: string | undefined
  /** Where nobody uses groups, nobody sees them. */
  withGroups: boolean
}

function toFile(context: Context, { parts, visible, name, withGroups }: Export): TextFile {
  const { session, http, now, query } = context
  const language = session.user.preferredLanguage ?? detectLanguage(http.request)
  const columns = exportColumns(language, { withGroups })
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
