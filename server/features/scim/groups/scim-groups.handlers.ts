import type { scimGroups } from '#contract/scim/scim-protocol.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Directory } from '#server/platform/system.ts'
import type { Work } from '../admit-person.ts'
import { changeResource, type Logged, loggedOf, logRefusal, logUnknownNames } from '../change-resource.ts'
import { search } from '../filter.repository.ts'
import { readFilter } from '../protocol/filter.ts'
import { type GroupChange, namedIn, readGroup, readGroupPatch } from '../protocol/group.ts'
import { groupLocation } from '../protocol/locations.ts'
import { readOperations } from '../protocol/patch.ts'
import { groupFilters } from '../protocol/schema.ts'
import type { Note } from '../protocol/value.ts'
import { asList, asScimGroup, checkMatch, etagOf, namesMembers, project, readPage } from '../scim-answers.ts'
import { lockOrganization } from '../tokens.repository.ts'
import { followGroup, refuseTaking } from './follow-group.ts'
import * as repository from './scim-groups.repository.ts'
import { listMemberIds, listScimMembers, lockKnown } from './scim-members.repository.ts'
import { setMembers } from './set-members.ts'
import { mappingOf, tellOfMapping } from './tell-of-mapping.ts'

/** Of an organisation's directory. */
const maxScimGroups = 1000
/** In a page of groups, which has one group at least. */
const maxMembersOfPage = 20_000

type ScimGroup = repository.ScimGroup
type Changing = RequestContext<(typeof scimGroups)['replace' | 'patch' | 'remove']>

export const scimGroupsHandlers: Handlers<typeof scimGroups> = {
  list: async ({ db, directory, query = {}, config, http, now }) => {
    try {
      const { startIndex, count } = readPage(query)
      const notes: Note[] = []
      const filter = readFilter(groupFilters, query.filter, notes)
      const page = { filter, baseUrl: config.baseUrl, offset: startIndex - 1, limit: count }
      const { organizationId } = directory
      const { total, groups: chosen } = await search(organizationId, filter, () =>
        repository.listScimGroups(db, organizationId, page),
      )
      const groups = namesMembers(query) ? await repository.cutPage(db, chosen, maxMembersOfPage) : chosen
      const ids = groups.map(({ scimGroupId }) => scimGroupId)
      const members = Map.groupBy(
        namesMembers(query) ? await listScimMembers(db, ids) : [],
        ({ scimGroupId }) => scimGroupId,
      )
      await logUnknownNames({ db, now, directory, query, notes })
      http.reply.type('application/scim+json; charset=utf-8')
      const shown = groups.map((group) =>
        project(asScimGroup(config.baseUrl, group, members.get(group.scimGroupId) ?? []), query),
      )
      return asList(shown, { total, startIndex })
    } catch (error) {
      if (error instanceof Problem && error.status < 500)
        await logRefusal(db, loggedOf(directory, 'GET', 400), error, now)
      throw error
    }
  },
  create: async (context) => {
    const { directory, input, http, config } = context
    const { organizationId } = directory
    const logged = loggedOf(directory, 'POST', 201)
    const group = await write(context, logged, async (work) => {
      const change = readGroup(input, work.notes)
      const { displayName, externalId = null } = change
      logged.about = displayName
      const key = { organizationId, scimGroupId: newId() }
      // One at a time: who counts must not be overtaken.
      await lockOrganization(work.db, organizationId)
      if ((await repository.countScimGroups(work.db, organizationId)) >= maxScimGroups)
        throw new Problem(409, 'tooManyScimGroups')
      const created = await repository.insertScimGroup(work.db, key, { displayName, externalId }, work.now)
      await setMembers(work, created, change, await lockNamed(work, created, change), directory)
      work.deeds.push('stored')
      return created
    })
    http.reply.header('location', groupLocation(config.baseUrl, group.scimGroupId))
    return show(context, group)
  },
  read: async (context) => {
    const group = found(await repository.findScimGroup(context.db, keyOf(context)))
    await logUnknownNames(context)
    return show(context, group)
  },
  replace: async (context) => show(context, await change(context, 'PUT', (notes) => readGroup(context.input, notes))),
  patch: async (context) => {
    const group = await change(context, 'PATCH', (notes) => readGroupPatch(readOperations(context.input), notes))
    // What both directories expect, and no list of thousands.
    context.http.reply.header('etag', etagOf(group))
    return undefined
  },
  remove: async (context) => {
    const logged = loggedOf(context.directory, 'DELETE', 204)
    await write(context, logged, async (work) => {
      const group = await lock(context, work, logged)
      const [removed, mapped] = [await listMemberIds(work.db, group.scimGroupId), await mappingOf(work, group)]
      await refuseTaking(work, group, removed)
      await repository.deleteScimGroup(work.db, group.scimGroupId)
      if (mapped) tellOfMapping(work, group, { before: mapped, after: { group: null, roles: null } })
      await followGroup(work, group, { added: [], removed })
      work.deeds.push('removed')
    })
    return undefined
  },
}

async function show(
  { http, config, db, query = {} }: RequestContext<(typeof scimGroups)['read' | 'create' | 'replace']>,
  group: ScimGroup,
) {
  http.reply.type('application/scim+json; charset=utf-8').header('etag', etagOf(group))
  const members = namesMembers(query) ? await listScimMembers(db, [group.scimGroupId]) : []
  return project(asScimGroup(config.baseUrl, group, members), query)
}

const keyOf = ({ directory, params }: { directory: Directory; params: { id: string } }) => ({
  organizationId: directory.organizationId,
  scimGroupId: params.id,
})

const write = <Result>(
  context: RequestContext<(typeof scimGroups)['create' | 'replace' | 'patch' | 'remove']>,
  logged: Logged,
  work: (work: Work) => Promise<Result>,
): Promise<Result> => changeResource(context, logged, { mayInvite: false, change: work })

async function lock(context: Changing, { db }: Work, logged: Logged): Promise<ScimGroup> {
  const group = found(await repository.lockScimGroup(db, keyOf(context)))
  logged.about = group.displayName
  checkMatch(context.http.request.headers['if-match'], group)
  return group
}

async function change(
  context: RequestContext<(typeof scimGroups)['replace' | 'patch']>,
  method: 'PUT' | 'PATCH',
  readChange: (notes: Note[]) => GroupChange,
): Promise<ScimGroup> {
  const logged = loggedOf(context.directory, method, method === 'PUT' ? 200 : 204)
  return write(context, logged, async (work) => {
    const { db, now, notes, deeds } = work
    const wanted = readChange(notes)
    // People, then the group, as when somebody joins (accounts/directory-groups.ts).
    const known = await lockNamed(work, keyOf(context), wanted)
    const before = await lock(context, work, logged)
    const { displayName = before.displayName, externalId = before.externalId } = wanted
    const hasMoved = await setMembers(work, before, wanted, known, context.directory)
    if (!hasMoved && displayName === before.displayName && externalId === before.externalId) {
      deeds.push('unchanged')
      return before
    }
    deeds.push('changed')
    const mapped = displayName === before.displayName ? undefined : await mappingOf(work, before)
    if (mapped) {
      const [was, is] = [before.displayName, displayName]
      tellOfMapping(work, before, { before: { ...mapped, name: was }, after: { ...mapped, name: is } })
    }
    return repository.changeScimGroup(db, before.scimGroupId, { displayName, externalId }, now)
  })
}

const lockNamed = ({ db }: Work, { organizationId }: { organizationId: string }, wanted: GroupChange) =>
  lockKnown(db, organizationId, namedIn(wanted))
