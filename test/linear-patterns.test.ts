import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import { parseSync } from 'vite'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000 })

interface Pattern {
  /** The file. */
  of: string
  source: string
  flags: string
}

const root = join(import.meta.dirname, '..')
const files = globSync('{contract,server}/**/*.ts', { cwd: root }).filter((file) => !/\.(test|d)\.ts$/.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Each literal of a file. */
function literalsOf(of: string): Pattern[] {
  const found: Pattern[] = []
  JSON.stringify(parseSync(of, textOf(of)).program, (_, node) => {
    const { pattern, flags } = node?.type === 'Literal' ? (node.regex ?? {}) : {}
    if (pattern !== undefined) found.push({ of, source: pattern, flags })
    return typeof node === 'bigint' ? '' : node
  })
  return found
}

/** Those that files put together when they are loaded. */
async function composed(): Promise<Pattern[]> {
  const found: Pattern[] = []
  for (const of of files.filter((file) => /^const .*new RegExp\(/m.test(textOf(file)))) {
    vi.stubGlobal(
      'RegExp',
      new Proxy(RegExp, {
        construct(real, [source, flags = '']) {
          found.push({ of, source: String(source), flags })
          return new real(source, flags)
        },
      }),
    )
    await import(join(root, of))
    vi.unstubAllGlobals()
  }
  return found
}

/** Patterns that read only texts of ours, or of whoever runs the server. */
const ofOurs = [
  'contract/sign-in/sign-in-page.ts',
  'server/embedded-postgres/cluster.ts',
  'server/platform/http/inline-styles.ts',
  'server/platform/password-in-address.ts',
  'server/unknown-settings.ts',
]

// Not in the process of a Java virtual machine.
vi.stubEnv('RECHECK_BACKEND', 'pure')
const verdictOf = ({ source, flags }: Pattern) => {
  const found = checkSync(source, flags, { timeout: 20_000 })
  if (found.status === 'safe') return undefined
  return found.status === 'vulnerable' ? found.complexity.summary : found.status
}

test('every pattern takes linear time, whatever text it meets', async () => {
  const patterns = [...files.filter((file) => !ofOurs.includes(file)).flatMap(literalsOf), ...(await composed())]
  expect(patterns.length).toBeGreaterThan(300)
  const different = [...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()]
  const slow = different.flatMap((pattern) => {
    const verdict = verdictOf(pattern)
    return verdict ? [`${pattern.of} /${pattern.source}/${pattern.flags}: ${verdict}`] : []
  })
  expect(slow).toEqual([])
})

test.each(ofOurs)('%s has such a pattern indeed', (file) => {
  expect(literalsOf(file).some((pattern) => verdictOf(pattern))).toBe(true)
})
