import { expect, test } from 'vitest'
import { screens } from '#contract/screens.ts'
import { declaredRoutes } from './declared.ts'
import { router } from './router.ts'

test('the server knows every screen that the router draws, and no other', () => {
  const drawn = Object.keys(router.routesByPath)
    .filter((path) => path !== '/$')
    .map((path) => path.replaceAll(/\$(\w+)/g, '{$1}'))
  expect(drawn.sort()).toEqual([...screens].sort())
})

test('every page of the administration menu stands in one of its groups, else nobody would find it', () => {
  const ungrouped = declaredRoutes(router).filter(({ menu, group }) => menu === 'administration' && !group)
  expect(ungrouped.map(({ to }) => to)).toEqual([])
})

test('every page of a menu has a place of its own', () => {
  const places = declaredRoutes(router).flatMap(({ menu, place }) => (menu ? [place] : []))
  expect(places.length).toBeGreaterThan(5)
  expect(places).not.toContain(undefined)
  expect(new Set(places).size).toBe(places.length)
})
