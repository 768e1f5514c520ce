import { isDeepStrictEqual } from 'node:util'
import type { scimUsers } from '#contract/scim/scim-protocol.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { admitPerson, type Work } from './admit-person.ts'
import { changePerson } from './change-person.ts'
import {
  changeResource,
  type Logged,
  loggedOf,
  logRefusal,
  logUnknownNames,
  takeInvitation,
} from './change-resource.ts'
import { endPerson } from './end-person.ts'
import { search } from './filter.repository.ts'
import { raiseGroupsOf } from './groups/scim-groups.repository.ts'
import { readFilter } from './protocol/filter.ts'
import { userLocation } from './protocol/locations.ts'
import { patchResource, readOperations } from './protocol/patch.ts'
import { readResource } from './protocol/resource.ts'
import { userAttributes, userFilters } from './protocol/schema.ts'
import type { Json, Note } from './protocol/value.ts'
import { type SentUser, toColumns, toResource } from './read-user.ts'
import { asList, asScimUser, checkMatch, etagOf, project, readPage } from './scim-answers.ts'
import {
  changeScimUser,
  deleteScimUser,
  findScimUser,
  insertScimUser,
  listScimUsers,
  lockScimUser,
  noteState,
  type ScimUser,
} from './scim-users.repository.ts'

type Context = RequestContext<(typeof scimUsers)['replace' | 'patch' | 'create' | 'read' | 'list' | 'remove']>

/** Sends a person as SCIM wants it, with its version. */
function show({ http, config, query }: Pick<Context, 'http' | 'config'> & { query?: unknown }, user: ScimUser): Json {
  http.reply.type('application/scim+json; charset=utf-8').header('etag', etagOf(user))
  return project(asScimUser(config.baseUrl, user), (query ?? {}) as Json)
}

export const scimUsersHandlers: Handlers<typeof scimUsers> = {
  list: async ({ db, directory, query = {}, config, http, now }) => {
    try {
      const { startIndex, count } = readPage(query)
      const notes: Note[] = []
      const filter = readFilter(userFilters, query.filter, notes)
      const page = { filter, baseUrl: config.baseUrl, offset: startIndex - 1, limit: count }
      const { organizationId } = directory
      const { total, people } = await search(organizationId, filter, () => listScimUsers(db, organizationId, page))
      await logUnknownNames({ db, now, directory, query, notes })
      http.reply.type('application/scim+json; charset=utf-8')
      const resources = people.map((user) => project(asScimUser(config.baseUrl, user), query))
      return asList(resources, { total, startIndex })
    } catch (error) {
      if (error instanceof Problem && error.status < 500)
        await logRefusal(db, loggedOf(directory, 'GET', 400), error, now)
      throw error
    }
  },
  create: async (context) => {
    const { directory, input, http, config, now } = context
    const { organizationId } = directory
    const logged = loggedOf(directory, 'POST', 201)
    const sent = await refused(context, logged, () => readSent(input, []))
    logged.about = sent.userName
    const mayInvite = !sent.active || (await takeInvitation(context, { organizationId, email: sent.email }))
    const user = await changeResource(context, logged, {
      mayInvite,
      change: async (work) => {
        const key = { organizationId, scimUserId: newId() }
        const created = await insertScimUser(work.db, key, readSent(input, work.notes), now)
        logged.scimUserId = key.scimUserId
        work.deeds.push('stored')
        if (created.active) await admitPerson(work, created)
        return created
      },
    })
    http.reply.header('location', userLocation(config.baseUrl, user.scimUserId))
    return show(context, user)
  },
  read: async (context) => {
    const user = found(await findScimUser(context.db, { ...context.directory, scimUserId: context.params.id }))
    await logUnknownNames(context)
    return show(context, user)
  },
  // Who has left does not come back by an update that says nothing of it.
  replace: async (context) => update(context, 'PUT', ({ active }, notes) => readSent(context.input, notes, active)),
  patch: async (context) =>
    update(context, 'PATCH', (before, notes) => {
      const operations = readOperations(context.input)
      return toColumns(patchResource(userAttributes, toResource(before), operations, notes))
    }),
  remove: async (context) => {
    const { directory, params, http } = context
    const key = { organizationId: directory.organizationId, scimUserId: params.id }
    const logged = loggedOf(directory, 'DELETE', 204)
    await changeResource(context, logged, {
      mayInvite: false,
      change: async (work) => {
        const user = found(await lockScimUser(work.db, key))
        checkMatch(http.request.headers['if-match'], user)
        logged.about = user.userName
        await endPerson(work, user)
        await raiseGroupsOf(work.db, user.scimUserId)
        await deleteScimUser(work.db, user.scimUserId)
        work.deeds.push('removed')
      },
    })
    return undefined
  },
}

const readSent = (input: Json, notes: Note[], active = true): SentUser =>
  toColumns({ active, ...readResource(userAttributes, input, notes) })

/** Reads a body before anything is done; what cannot be read stands in the log. */
async function refused<Result>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  logged: Logged,
  read: () => Result,
): Promise<Result> {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) await logRefusal(db, logged, error, now)
    throw error
  }
}

/** Changes what the directory says of somebody, and what follows from it. */
async function update(
  context: RequestContext<(typeof scimUsers)['replace' | 'patch']>,
  method: 'PUT' | 'PATCH',
  next: (before: ScimUser, notes: Note[]) => SentUser,
): Promise<Json> {
  const { db, directory, params, http, now } = context
  const key = { organizationId: directory.organizationId, scimUserId: params.id }
  const present = found(await findScimUser(db, key))
  const logged = { ...loggedOf(directory, method, 200), about: present.userName, scimUserId: present.scimUserId }
  const planned = await refused(context, logged, () => next(present, []))
  const mayJoin = planned.active && (!present.active || planned.email !== present.email)
  const mayInvite = !mayJoin || (await takeInvitation(context, { ...key, email: planned.email }))
  const user = await changeResource(context, logged, {
    mayInvite,
    change: async (work) => {
      const before = found(await lockScimUser(work.db, key))
      checkMatch(http.request.headers['if-match'], before)
      const sent = next(before, work.notes)
      if (isSame(before, sent)) {
        work.deeds.push('unchanged')
        return before
      }
      const after = await changeScimUser(work.db, before.scimUserId, sent, now)
      // A group shows the userName of its members.
      if (after.userName !== before.userName) await raiseGroupsOf(work.db, after.scimUserId)
      work.deeds.push('changed')
      await follow(work, before, after)
      return after
    },
  })
  return show(context, user)
}

async function follow(work: Work, before: ScimUser, after: ScimUser): Promise<void> {
  if (!after.active) {
    if (before.active) await endPerson(work, before)
    return
  }
  if (!before.active) {
    await admitPerson(work, after)
    return
  }
  if (after.accountId !== null) {
    await changePerson(work, before, after)
    return
  }
  // Somebody who has not answered yet is invited at the new address.
  if (before.email === after.email) return
  await endPerson(work, before)
  await noteState(work.db, after.scimUserId, { accountId: null, kept: null })
  await admitPerson(work, { ...after, accountId: null, kept: null })
}

const isSame = (before: SentUser, after: SentUser) => isDeepStrictEqual(toResource(before), toResource(after))
