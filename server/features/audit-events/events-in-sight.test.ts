import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { listEvents, readEventsInOrder } from './audit-events.repository.ts'
import type { Filters } from './event-conditions.repository.ts'
import type { Viewer } from './viewer.ts'

interface Thing {
  id: string
  label: string
}
interface Written {
  id: string
  name: string
  actor: Thing | null
  target: Thing | null
  at: number
  organizationIds: string[]
}

let portal: TestApp
let organizationIds: string[]
let people: Thing[]
let members: Set<string>
let written: Written[]

// Enough combinations for every pair of people, the same at each run.
const of = <Item>(items: readonly Item[], number: number) => items[number % items.length] as Item

beforeAll(async () => {
  portal = await testApp()
  const { db } = portal.system
  organizationIds = [(await portal.organization()).organizationId, (await portal.organization()).organizationId]
  people = []
  members = new Set()
  for (const [index, label] of ['kilo.alfa', 'kilo.beta', 'lima.alfa', 'lima.beta', 'mike.kilo'].entries()) {
    const { accountId } = await portal.person({ email: `${label}@pages.example`, firstName: 'X', lastName: 'Y' })
    people.push({ id: accountId, label: `${label}@pages.example` })
    // The last two belong to no organisation.
    if (index < 3) await portal.join(accountId, of(organizationIds, index))
    if (index < 3) members.add(accountId)
  }
  written = []
  for (let number = 0; number < 150; number++) {
    const actor = number % 11 === 0 ? null : of(people, number * 3)
    const target = number % 13 === 0 ? null : number % 3 === 0 ? actor : of(people, number * 7 + (number % 4))
    const event = {
      name: of(['loginSuccess', 'updateUserServices', 'logout'], number * 5 + (number % 2)),
      actor,
      target,
      // Several at the same moment.
      at: portal.now().getTime() + Math.floor(number / 4) * 1000,
      organizationIds: [[], [organizationIds[0]], [organizationIds[1]], organizationIds][number % 4] as string[],
    }
    await writeAuditEvent(db, { name: event.name, actor, target, organizationIds: event.organizationIds } as never, {
      requestId: `written-${number}`,
      now: new Date(event.at),
    })
    // Some of them wait for their place in the chain, and are listed all the same.
    if (number === 120) await sealAuditEvents(db)
    const { id } = await db
      .selectFrom('auditEvents')
      .select('id')
      .where('requestId', '=', `written-${number}`)
      .executeTakeFirstOrThrow()
    written.push({ id, ...event })
  }
})
afterAll(() => portal?.close())

/** The same by reading everything. */
function expected(viewer: Exclude<Viewer, 'everythingButDetails' | 'everythingButNotes'>, filters: Filters): string[] {
  const isKnown = ({ actor, target }: Written) =>
    viewer === 'everything' || (actor !== null && members.has(actor.id)) || actor?.id === target?.id
  const has = (thing: Thing | null, text: string) =>
    thing !== null && text.split(' ').every((word) => thing.label.includes(word))
  const scopes = filters.organizationFilter
    ? [filters.organizationFilter]
    : viewer === 'everything'
      ? undefined
      : viewer.organizationIds
  // What a person of several organisations uses is known to an admin of all of them, and to that person.
  const isUsedHere = ({ name, organizationIds, actor, target }: Written) =>
    viewer === 'everything' ||
    name === 'updateUserServices' ||
    organizationIds.every((id) => viewer.organizationIds.includes(id)) ||
    [actor, target].some((one) => one?.id === viewer.accountId)
  const isInScope = (event: Written) =>
    isUsedHere(event) && (!scopes || scopes.some((scope) => event.organizationIds.includes(scope)))
  const isAbout = (event: Written, text: string) =>
    has(event.target, text) || (isKnown(event) && has(event.actor, text))
  // Somebody who has all words is meant, if there is one.
  const text = filters.textFilter ?? ''
  const texts = written.some((event) => isInScope(event) && isAbout(event, text)) ? [text] : text.split(' ')
  const isHit = (event: Written) => {
    const { name, actor, target, at } = event
    const { nameFilter, actorFilter, targetFilter, targetIdFilter, from, until } = filters
    const mayAsk =
      viewer === 'everything' ||
      !filters.organizationFilter ||
      viewer.organizationIds.includes(filters.organizationFilter)
    return (
      mayAsk &&
      isInScope(event) &&
      (!nameFilter || name === nameFilter) &&
      (!from || at >= Date.parse(from)) &&
      (!until || at < Date.parse(until)) &&
      (!actorFilter || (isKnown(event) && has(actor, actorFilter))) &&
      (!targetFilter || has(target, targetFilter)) &&
      (!targetIdFilter || target?.id === targetIdFilter) &&
      texts.every((each) => !each || isAbout(event, each))
    )
  }
  const direction = filters.sortDirection === 'asc' ? 1 : -1
  const labelOf = (event: Written) => {
    const thing = filters.sort === 'actor' ? event.actor : event.target
    // Whom an admin may not know stands at the end, in both directions.
    const hidden = filters.sort === 'actor' && viewer !== 'everything' && !(event.actor && isKnown(event))
    return hidden ? null : (thing?.label ?? '')
  }
  const compare = (one: Written, other: Written) => {
    const later = one.at - other.at || (one.id < other.id ? -1 : 1)
    if (filters.sort === 'createdAt') return later * direction
    if (filters.sort === 'name') return (one.name < other.name ? -1 : one.name > other.name ? 1 : -later) * direction
    const [first, second] = [labelOf(one), labelOf(other)]
    if (first === null || second === null) return first === second ? -later * direction : first === null ? 1 : -1
    return (first < second ? -1 : first > second ? 1 : -later) * direction
  }
  return written
    .filter(isHit)
    .toSorted(compare)
    .map(({ id }) => id)
}

const searches = (): Partial<Filters>[] => [
  { nameFilter: 'updateUserServices' },
  { actorFilter: 'kilo' },
  { targetFilter: 'kilo' },
  { textFilter: 'alfa' },
  { textFilter: 'kilo alfa' },
  { textFilter: 'kilo lima', nameFilter: 'logout' },
  { targetIdFilter: people[0]?.id },
  { targetIdFilter: people[4]?.id, actorFilter: 'lima' },
  { organizationFilter: organizationIds[1] },
  { organizationFilter: organizationIds[0], textFilter: 'beta', actorFilter: 'pages' },
  { textFilter: 'lima', from: new Date((written[40] as Written).at).toISOString() },
  { textFilter: 'pages' },
  { targetFilter: 'pages', textFilter: 'pages lima' },
  { textFilter: 'mike lima' },
  // A part of an address, with its @.
  { actorFilter: 'alfa@pages' },
  { targetFilter: 'beta@pages.ex' },
  { textFilter: 'kilo@' },
  { textFilter: 'ima.alfa@pages lo@pages' },
  { actorFilter: 'pages', until: new Date((written[110] as Written).at).toISOString() },
  // Only what was written here, without another filter.
  { from: new Date((written[0] as Written).at).toISOString() },
]

describe.each([
  ['a super user', () => 'everything' as const],
  [
    'an admin of two organisations',
    () => ({ organizationIds, detailIds: organizationIds, accountId: (people[0] as Thing).id }),
  ],
  [
    'an admin of one organisation',
    () => ({
      organizationIds: organizationIds.slice(0, 1),
      detailIds: organizationIds.slice(0, 1),
      accountId: (people[0] as Thing).id,
    }),
  ],
])('%s', (_, viewerOf) => {
  const viewing = () => {
    const viewer = viewerOf()
    const own = viewer === 'everything' || viewer.organizationIds.length === 2 ? [0, 1, 2] : [0, 2]
    members = new Set(people.filter((_, index) => own.includes(index)).map(({ id }) => id))
    return viewer
  }

  test.each([
    ['createdAt', 'asc'],
    ['createdAt', 'desc'],
    ['name', 'asc'],
    ['name', 'desc'],
    ['actor', 'asc'],
    ['actor', 'desc'],
    ['target', 'asc'],
    ['target', 'desc'],
  ] as const)('finds, counts and orders by %s %s what is in sight, and nothing else', async (sort, sortDirection) => {
    const { db } = portal.system
    const viewer = viewing()
    const before = new Date((written[0] as Written).at).toISOString()
    for (const filters of searches()) {
      const asked = { from: before, ...filters, sort, sortDirection } as Filters
      const all = expected(viewer, { ...asked, page: 1 })
      for (const page of [1, 2, 30]) {
        const { items, totalCount, hasMore } = await listEvents(db, viewer, { ...asked, page }, 7)
        const what = JSON.stringify({ ...filters, page })
        const ids = items.map(({ id }) => id)
        const there = all.slice((page - 1) * 7, page * 7)
        expect([what, ids, totalCount, hasMore]).toEqual([what, there, all.length, false])
      }
    }
  })

  test('exports the same events, the oldest first', async () => {
    const viewer = viewing()
    const before = new Date((written[0] as Written).at).toISOString()
    for (const filters of searches()) {
      const asked = { from: before, ...filters } as Filters
      const ids: string[] = []
      for await (const events of readEventsInOrder(portal.system.db, viewer, asked, 7))
        ids.push(...events.map(({ id }) => id))
      const all = expected(viewer, { ...asked, page: 1, sort: 'createdAt', sortDirection: 'asc' })
      expect([filters, ids]).toEqual([filters, all])
    }
  })
})
