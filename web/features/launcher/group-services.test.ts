import { expect, test } from 'vitest'
import { groupServices } from './group-services.ts'

const service = (name: string, own: Partial<Parameters<typeof groupServices>[0][number]> = {}) => ({
  serviceId: name,
  name,
  category: null,
  categoryPosition: null,
  favourite: false,
  lastUsed: null,
  ...own,
})
const shown = (services: Parameters<typeof groupServices>[0], together = false) =>
  groupServices(services, together).map(({ kind, name, services: members }) => [
    name || kind,
    ...members.map((member) => member.name),
  ])

test('a person sees favourites first, and the categories in their order', () => {
  expect(
    shown([
      service('Arkiv'),
      service('Bokning', { category: 'Vård', categoryPosition: 0 }),
      service('Journal', { category: 'Vård', categoryPosition: 0, favourite: true }),
      service('Lön', { category: 'Ekonomi', categoryPosition: 1 }),
      service('Plan', { category: 'Ängar' }),
      service('Tid', { category: 'Zon' }),
    ]),
  ).toEqual([
    ['favourites', 'Journal'],
    ['Vård', 'Bokning'],
    ['Ekonomi', 'Lön'],
    ['Zon', 'Tid'],
    ['Ängar', 'Plan'],
    ['otherServices', 'Arkiv'],
  ])
})

test('the four services that were used last come after the favourites', () => {
  const used = Array.from({ length: 7 }, (_, day) =>
    service(`T${day}`, { lastUsed: `2026-01-0${day + 1}T00:00:00Z`, favourite: day === 0 }),
  )
  expect(shown(used)).toEqual([
    ['favourites', 'T0'],
    ['recentlyUsed', 'T6', 'T5', 'T4', 'T3'],
    ['otherServices', 'T1', 'T2'],
  ])
})

test('few services, or those that were searched for, are one list with the favourites first', () => {
  expect(shown([service('Arkiv', { category: 'Vård' }), service('Lön', { favourite: true })], true)).toEqual([
    ['otherServices', 'Lön', 'Arkiv'],
  ])
  expect(shown([], true)).toEqual([])
})
