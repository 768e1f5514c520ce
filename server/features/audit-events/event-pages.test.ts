import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { type Estimate, estimate } from './event-estimates.ts'
import { findAmongMany, findPage } from './event-pages.ts'
import type { Search } from './event-parties.ts'
import { type Filters, toSearch } from './event-search.ts'
import type { Viewer } from './viewer.ts'

interface Thing {
  id: string
  label: string
}
interface Written {
  seq: number
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

async function asOwner(statement: string) {
  const owner = new pg.Client(portal.ownerUrl)
  await owner.connect()
  await owner.query(statement)
  await owner.end()
}

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
  await asOwner('analyze directory')
  await sealAuditEvents(db)
  const { rows } = await portal.system.pool.query<{ seq: string }>('select seq from audit_head')
  const first = Number(rows[0]?.seq) + 1
  written = []
  for (let number = 0; number < 150; number++) {
    const actor = number % 11 === 0 ? null : of(people, number * 3)
    const target = number % 13 === 0 ? null : number % 3 === 0 ? actor : of(people, number * 7 + (number % 4))
    const event = {
      seq: first + number,
      name: of(['loginSuccess', 'updateUser', 'logout'], number * 5 + (number % 2)),
      actor,
      target,
      // Several at the same moment.
      at: portal.now().getTime() + Math.floor(number / 4) * 1000,
      organizationIds: [[], [organizationIds[0]], [organizationIds[1]], organizationIds][number % 4] as string[],
    }
    await writeAuditEvent(db, { name: event.name, actor, target, organizationIds: event.organizationIds } as never, {
      requestId: 'r',
      now: new Date(event.at),
    })
    // One by one, so that places follow the order of writing.
    await sealAuditEvents(db)
    written.push(event)
  }
})
afterAll(() => portal?.close())

/** The same by reading everything. */
function expected(viewer: Viewer, filters: Filters): number[] {
  const isKnown = ({ actor, target }: Written) =>
    viewer === 'everything' || (actor !== null && members.has(actor.id)) || actor?.id === target?.id
  const has = (thing: Thing | null, text: string) =>
    thing !== null && text.split(' ').every((word) => thing.label.includes(word))
  const scopes = filters.organizationFilter
    ? [filters.organizationFilter]
    : viewer === 'everything'
      ? undefined
      : viewer.organizationIds
  const isInScope = ({ organizationIds }: Written) => !scopes || scopes.some((scope) => organizationIds.includes(scope))
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
    // Actors who are no members of an admin's organisations stand at the end.
    const hidden = filters.sort === 'actor' && viewer !== 'everything' && !members.has(event.actor?.id ?? '')
    return hidden ? null : (thing?.label ?? '')
  }
  const compare = (one: Written, other: Written) => {
    const later = one.at - other.at || one.seq - other.seq
    if (filters.sort === 'createdAt') return later * direction
    if (filters.sort === 'name') return (one.name < other.name ? -1 : one.name > other.name ? 1 : -later) * direction
    const [first, second] = [labelOf(one), labelOf(other)]
    if (first === null || second === null) return first === second ? -later * direction : first === null ? 1 : -1
    return (first < second ? -1 : first > second ? 1 : -later) * direction
  }
  return written
    .filter(isHit)
    .toSorted(compare)
    .map(({ seq }) => seq)
}

const searches = (): Partial<Filters>[] => [
  { nameFilter: 'updateUser' },
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
  { actorFilter: 'pages', until: new Date((written[110] as Written).at).toISOString() },
  // Only what was written here, without another filter.
  { from: new Date((written[0] as Written).at).toISOString() },
]

// What the estimates say decides how a page is found; the page must be the same.
const huge = 1e15
const ways: [string, (known: Estimate) => Estimate][] = [
  ['in order', (known) => ({ ...known, hits: huge })],
  ['by counts', (known) => ({ ...known, hits: 1, inScopes: huge, named: 1 })],
  [
    'by counts of the fewest parties',
    (known) => ({
      ...known,
      hits: 1,
      inScopes: huge,
      named: huge,
      ...(known.fewest ? { fewest: { ...known.fewest, ids: 1, rows: 1 } } : {}),
    }),
  ],
]

describe.each([
  ['a super user', () => 'everything' as const],
  ['an admin of two organisations', () => ({ organizationIds })],
  ['an admin of one organisation', () => ({ organizationIds: organizationIds.slice(0, 1) })],
])('%s', (_, viewerOf) => {
  test.each([
    ['createdAt', 'asc'],
    ['createdAt', 'desc'],
    ['name', 'asc'],
    ['name', 'desc'],
    ['actor', 'asc'],
    ['actor', 'desc'],
    ['target', 'asc'],
    ['target', 'desc'],
  ] as const)('finds each page by %s %s, in whichever way it is read', async (sort, sortDirection) => {
    const { db } = portal.system
    const viewer = viewerOf()
    if (viewer !== 'everything' && viewer.organizationIds.length === 1)
      members = new Set(people.filter((_, index) => index === 0 || index === 2).map(({ id }) => id))
    const before = new Date((written[0] as Written).at).toISOString()
    for (const filters of searches()) {
      const asked = { from: before, ...filters, page: 1, sort, sortDirection } as Filters
      const all = expected(viewer, asked)
      const search = await toSearch(db, viewer, asked)
      for (const offset of [0, 7]) {
        const page = { sort, sortDirection, offset, limit: 10 }
        const places = all.slice(offset, offset + 10)
        const what = JSON.stringify(filters)
        if (!search) {
          expect([what, places]).toEqual([what, []])
          continue
        }
        expect([what, await findPage(db, search, page)]).toEqual([what, { places, count: all.length }])
        const known = await estimate(db, search)
        for (const [way, change] of ways)
          expect([what, way, await findAmongMany(db, search, change(known), page)]).toEqual([what, way, places])
      }
    }
  })
})

test('a word that most labels hold is known by those without it', async () => {
  const search = await toSearch(portal.system.db, 'everything', { actorFilter: 'pages', textFilter: 'lima' } as Filters)
  expect(search?.parties.map(({ ids }) => ids === undefined)).toEqual([true, false])
})

test('finds the same pages where thousands of labels have the word', async () => {
  members = new Set(people.map(({ id }) => id))
  await asOwner(
    `insert into audit_parties (thing_id, label) select 'x', 'kilo ' || number from generate_series(1, 5001) number`,
  )
  const { db } = portal.system
  const from = new Date((written[0] as Written).at).toISOString()
  for (const filters of [{ textFilter: 'kilo' }, { actorFilter: 'kilo' }, { targetFilter: 'kilo', textFilter: 'alfa' }])
    for (const sort of ['actor', 'target'] as const)
      for (const sortDirection of ['asc', 'desc'] as const) {
        const asked = { from, ...filters, page: 1, sort, sortDirection } as Filters
        const search = (await toSearch(db, 'everything', asked)) as Search
        const known = await estimate(db, search)
        for (const offset of [0, 7, 1000]) {
          const page = { sort, sortDirection, offset, limit: 10 }
          const found = await findAmongMany(db, search, { ...known, hits: 1, inScopes: huge, named: huge }, page)
          const places = expected('everything', asked).slice(offset, offset + 10)
          expect([filters, page, found]).toEqual([filters, page, places])
        }
      }
})
