import { expect, test } from 'vitest'
import { listSearch, nextOrder, sortSearch } from './list-search.ts'

const organizations = listSearch(['name', 'organizationNumber'])

test('an address without anything in it is the plain list, and so is one that says the usual', () => {
  expect(organizations({})).toEqual({})
  expect(organizations({ page: '1', sort: 'name', sortDirection: 'asc', searchQuery: '' })).toEqual({})
})

test('what was chosen is read, as a text or as what the router already made of it', () => {
  const chosen = { page: 3, sort: 'organizationNumber', sortDirection: 'desc', searchQuery: 'nord' }
  expect(organizations({ ...chosen, page: '3' })).toEqual(chosen)
  expect(organizations(chosen)).toEqual(chosen)
})

test('what nobody offered falls back', () => {
  expect(organizations({ page: 'abc', sort: 'evil', sortDirection: 'sideways', searchQuery: 7 })).toEqual({})
  expect(organizations({ page: '0' })).toEqual({})
  expect(organizations({ page: '1e3' })).toEqual({})
  expect(organizations({ page: '-2' })).toEqual({})
})

test.each(['0701234567', 'true', '"x"'])('%s stays a text', (searchQuery) => {
  expect(organizations({ searchQuery })).toEqual({ searchQuery })
})

test('a text longer than the server searches for is cut', () => {
  expect(organizations({ searchQuery: 'x'.repeat(300) }).searchQuery).toHaveLength(200)
})

test('a list that only sorts keeps nothing else', () => {
  expect(sortSearch(['name', 'url'])({ sort: 'url', page: '2', searchQuery: 'x' })).toEqual({ sort: 'url' })
})

test('what is as usual is said to be, so that nothing of the address shines through', () => {
  expect(Object.keys(organizations({}))).toEqual(['page', 'sort', 'sortDirection', 'searchQuery'])
})

test('another column sorts ascending, the same one turns, a chosen direction is obeyed', () => {
  expect(nextOrder({ key: 'name', direction: 'desc' }, 'url')).toEqual({ sort: 'url', sortDirection: 'asc' })
  expect(nextOrder({ key: 'name', direction: 'asc' }, 'name')).toEqual({ sort: 'name', sortDirection: 'desc' })
  expect(nextOrder({ key: 'name', direction: 'desc' }, 'name')).toEqual({ sort: 'name', sortDirection: 'asc' })
  expect(nextOrder({ key: 'name', direction: 'asc' }, 'url', 'desc')).toEqual({ sort: 'url', sortDirection: 'desc' })
})
