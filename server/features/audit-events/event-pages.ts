import { sql } from 'kysely'
import { maxCountedEvents, maxPagedEvents } from '#contract/audit-events.ts'
import type { Db } from '#server/platform/database/database.ts'
import {
  collectByOther,
  costByParties,
  costInOrder,
  type Estimate,
  estimate,
  lookUpLabel,
  rowByParty,
  rowInOrder,
} from './event-estimates.ts'
import type { Search } from './event-parties.ts'
import { opposite, type Rows, readPlaces, rowsOf, words } from './event-rows.ts'
import {
  byCountsOfLabels,
  byOwnLabelsAndOthers,
  collect,
  type Found,
  groupsOfPage,
  inOrderOfLabels,
  inOrderOfNames,
  type Page,
} from './event-sorts.ts'

/**
 * Finds a page. Up to `maxCountedEvents` hits are collected and sorted, and also those that are expected to be not many more: a
 * second look at them would cost more. Of more, a page is read in its order, or sorted from all hits, whichever is expected to
 * read fewer rows (bench/README.md has the figures); pages after the first `maxPagedEvents` are empty.
 */
export async function findPage(db: Db, search: Search, page: Page): Promise<Found> {
  const expected = await estimate(db, search)
  const tooMany = maxCountedEvents + 1
  const isNotMany = expected.fewest && expected.hits > tooMany / 2 && expected.hits < tooMany * 3
  const most = isNotMany ? tooMany * 4 : tooMany
  const isByParties = costByParties(expected, { each: most, most }) < costInOrder(expected, most)
  const amongMany = () => findAmongMany(db, search, { ...expected, hits: Math.max(most, expected.hits) }, page)
  const isPaged = page.offset < maxPagedEvents
  // Both at once where many are expected.
  const early = expected.hits > most && isPaged ? amongMany() : undefined
  early?.catch(() => undefined)
  const found = await collect(db, { search, by: isByParties ? expected.fewest?.parties : undefined, most }, page)
  if (found.count < tooMany) return found
  if (!isPaged) return { places: [], count: tooMany }
  return { places: found.count < most ? found.places : await (early ?? amongMany()), count: tooMany }
}

/** A page of hits that are more than are counted. */
export async function findAmongMany(db: Db, search: Search, expected: Estimate, page: Page): Promise<number[]> {
  const { sort, sortDirection, offset, limit } = page
  const all = Number.POSITIVE_INFINITY
  const most = offset + limit
  const { fewest, hits, named, inScopes, parties } = expected
  if (sort === 'createdAt' || (sort === 'name' && search.nameId !== undefined)) {
    const order = sort === 'createdAt' ? sortDirection : opposite[sortDirection]
    const isByParties = costByParties(expected, { each: most, most: all }) < costInOrder(expected, most)
    const rows = rowsOf({ search, by: isByParties ? fewest?.parties : undefined, order, most })
    return readPlaces(
      db,
      sql`select seq from ${rows} found
      order by created_at ${words[order]}, seq ${words[order]} offset ${offset} limit ${limit}`,
    )
  }
  const read = hits * rowByParty
  const isByOther = sort !== 'name' && fewest && fewest.parties.side !== sort && !(sort === 'actor' && search.members)
  const byParties = isByOther ? fewest.ids * collectByOther : costByParties(expected, { each: all, most: all }) + read
  const byAll = named * rowInOrder + read
  // Hits of a search may be far apart in an order that has nothing to do with it.
  const inOrder = ((most * inScopes) / hits) * rowInOrder * gapsOf(search, sort)
  const among = search.parties.find(({ side }) => side === sort)?.ids?.count ?? parties
  const labels = sort === 'name' ? 0 : Math.min(among, (most * among) / hits)
  if (Math.min(byParties, byAll) > inOrder + labels * lookUpLabel) {
    if (sort === 'name') return inOrderOfNames(db, search, page)
    const places = await inOrderOfLabels(db, search, sort, page)
    // It ends before the actors who are no members.
    if (places.length === limit || !search.members || sort !== 'actor') return places
  }
  const by = byParties < byAll ? fewest?.parties : undefined
  const rows = { search, by }
  if (sort === 'name') return byCountsOfNames(db, rows, page, expected)
  // For an admin, members alone sort by label.
  if (!by || (sort === 'actor' && search.members)) return byCountsOfLabels(db, rows, sort, page)
  return by.side === sort
    ? inOrderOfLabels(db, search, sort, page)
    : byOwnLabelsAndOthers(db, { search, by }, sort, page)
}

async function byCountsOfNames(db: Db, rows: Rows, page: Page, expected: Estimate): Promise<number[]> {
  const { offset, limit } = page
  const groups = await groupsOfPage(db, rows, sql`name_id::integer`, sql`name ${words[page.sortDirection]}`, page)
  const places: number[] = []
  for (const { id, before, hits } of groups) {
    const there = { ...page, offset: Math.max(0, offset - before), limit: limit - places.length }
    const search = { ...rows.search, nameId: id }
    places.push(...(await findAmongMany(db, search, { ...expected, hits }, there)))
  }
  return places
}

function gapsOf({ parties }: Search, sort: Page['sort']): number {
  if (parties.some(({ apart }) => apart)) return 25
  return parties.every(({ side }) => side === sort) ? 1 : sort === 'name' ? 2 : 40
}
