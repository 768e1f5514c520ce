import type { scimGroups } from '#contract/scim/scim-protocol.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Directory } from '#server/platform/system.ts'
import type { Work } from '../admit-person.ts'
import { changeResource, type Logged, loggedOf, logRefusal } from '../change-resource.ts'
import { readFilter } from '../filter.ts'
import { readOperations } from '../patch-resource.ts'
import type { Note } from '../read-value.ts'
import {
  asList,
  asScimGroup,
  checkMatch,
  etagOf,
  groupLocation,
  namesMembers,
  project,
  readPage,
} from '../scim-answers.ts'
import { followGroup, sayingLastAdmin } from './follow-group.ts'
import { type GroupChange, membersAfter, namedIn, readGroup, readGroupPatch } from './read-group.ts'
import * as repository from './scim-groups.repository.ts'
import { deleteMembers, insertMembers, listMemberIds, listScimMembers, lockKnown } from './scim-members.repository.ts'

type ScimGroup = repository.ScimGroup
type Changing = RequestContext<(typeof scimGroups)['replace' | 'patch' | 'remove']>

export const scimGroupsHandlers: Handlers<typeof scimGroups> = {
  list: async ({ db, directory, query = {}, config, http, now }) => {
    try {
      const { startIndex, count } = readPage(query)
      const page = { terms: readFilter(query.filter), offset: startIndex - 1, limit: count }
      const { total, groups } = await repository.listScimGroups(db, directory.organizationId, page)
      const ids = groups.map(({ scimGroupId }) => scimGroupId)
      const members = Map.groupBy(
        namesMembers(query) ? await listScimMembers(db, ids) : [],
        ({ scimGroupId }) => scimGroupId,
      )
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
      const created = await repository.insertScimGroup(work.db, key, { displayName, externalId }, work.now)
      await setMembers(work, created, change)
      work.deeds.push('stored')
      return created
    })
    http.reply.header('location', groupLocation(config.baseUrl, group.scimGroupId))
    return show(context, group)
  },
  read: async (context) => show(context, found(await repository.findScimGroup(context.db, keyOf(context)))),
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
      await sayingLastAdmin(work, group, async () => {
        const removed = await listMemberIds(work.db, group.scimGroupId)
        await repository.deleteScimGroup(work.db, group.scimGroupId)
        await followGroup(work, group, { added: [], removed })
      })
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
    const before = await lock(context, work, logged)
    const wanted = readChange(notes)
    const { displayName = before.displayName, externalId = before.externalId } = wanted
    const hasMoved = await sayingLastAdmin(work, before, () => setMembers(work, before, wanted))
    if (!hasMoved && displayName === before.displayName && externalId === before.externalId) {
      deeds.push('unchanged')
      return before
    }
    deeds.push('changed')
    return repository.changeScimGroup(db, before.scimGroupId, { displayName, externalId }, now)
  })
}

/** Puts in and takes out whom the directory says. Somebody of another directory is nobody here. @returns whether anybody moved */
async function setMembers(work: Work, group: ScimGroup, wanted: GroupChange): Promise<boolean> {
  const { db, notes } = work
  const { scimGroupId, organizationId } = group
  if (wanted.members.length === 0) return false
  const known = await lockKnown(db, organizationId, namedIn(wanted))
  const before = new Set(await listMemberIds(db, scimGroupId))
  const { after, hasUnknown } = membersAfter(before, wanted, (id) => known.has(id))
  if (hasUnknown) notes.push({ attribute: 'members', reason: 'unknownMember' })
  const [added, removed] = [[...after].filter((id) => !before.has(id)), [...before].filter((id) => !after.has(id))]
  if (added.length + removed.length === 0) return false
  await deleteMembers(db, scimGroupId, removed)
  await insertMembers(db, scimGroupId, added)
  await followGroup(work, group, { added, removed })
  return true
}
