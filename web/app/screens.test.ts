import { expect, test } from 'vitest'
import { screens } from '#contract/screens.ts'
import { router } from './router.ts'

test('the server knows every screen that the router draws, and no other', () => {
  const drawn = Object.keys(router.routesByPath)
    .filter((path) => path !== '/$')
    .map((path) => path.replaceAll(/\$(\w+)/g, '{$1}'))
  expect(drawn.sort()).toEqual([...screens].sort())
})
