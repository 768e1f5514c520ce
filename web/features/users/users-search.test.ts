import { expect, test } from 'vitest'
import { userAdministrationSearch, usersSearch } from './users-search.ts'

test('the order is called sortField, and the usual order is not in the address', () => {
  expect(usersSearch({ sortField: 'lastName', sortDirection: 'desc', page: '2' })).toEqual({
    sortField: 'lastName',
    sortDirection: 'desc',
    page: 2,
  })
  expect(usersSearch({ sortField: 'email', sortDirection: 'asc', page: '1' })).toEqual({})
})

test('what nobody offered falls back, also a sort by the name of other lists', () => {
  expect(usersSearch({ sort: 'lastName', sortField: 'evil', page: 'abc', sortDirection: 'up' })).toEqual({})
})

test.each(['0701234567', 'true', '"x"'])('%s stays a text', (searchQuery) => {
  expect(usersSearch({ searchQuery })).toEqual({ searchQuery })
})

test('a tab is a service, and nothing else can be one', () => {
  const tab = '01a1fe20-3d9b-7344-9ee9-93ea2a7ba437'
  expect(userAdministrationSearch({ tab, page: '3' })).toEqual({ tab, page: 3 })
  expect(userAdministrationSearch({ tab: '../../me' })).toEqual({})
  expect(userAdministrationSearch({})).toEqual({})
})

test('filters are read, and what nobody offered counts as none', () => {
  const organizationId = '01a1fe20-3d9b-7344-9ee9-93ea2a7ba437'
  const filters = { status: 'passive', loginMethod: 'saml', role: 'superUser', organizationId }
  expect(usersSearch({ ...filters, lastActiveBefore: '2026-06-01' })).toEqual({
    ...filters,
    lastActiveBefore: '2026-06-01',
  })
  expect(
    usersSearch({ status: 'gone', loginMethod: '', role: 'king', serviceId: '1', lastActiveBefore: '2026-02-30' }),
  ).toEqual({})
})

test("an organisation's list has no filters for those who see everything", () => {
  const organizationId = '01a1fe20-3d9b-7344-9ee9-93ea2a7ba437'
  expect(userAdministrationSearch({ status: 'active', role: 'superUser', organizationId })).toEqual({
    status: 'active',
  })
})
