import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingsTables } from '#server/admin/settings.ts'

const root = join(import.meta.dirname, '..')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

describe('the documentation', () => {
  test('lists every setting and every limit as they are', () => {
    expect(readFileSync(join(root, 'docs/operations.md'), 'utf8')).toContain(settingsTables())
  })

  test.each(pages)('%s points only to files that exist', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const targets = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target)
    const missing = targets.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(page), target)),
    )
    expect(missing).toEqual([])
  })
})
