import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longTests } from './long-tests.ts'

test('every path in the list of long tests is that of a test', () => {
  const cwd = join(import.meta.dirname, '..')
  expect(longTests.filter((path) => globSync(path, { cwd }).length === 0)).toEqual([])
})
