import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

interface Source {
  /** From the project's folder: `server/platform/door.ts`. */
  path: string
  text: string
  lines: number
  /** What it imports: paths from the project's folder, or names of packages. */
  imports: string[]
}

const folders = ['contract', 'server', 'web', 'simulators', 'test', 'e2e', 'bench', 'scripts']
const isTest = ({ path }: { path: string }) => /\.test\.tsx?$/.test(path)

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(tsx?|mjs)$/.test(file.name))
    .map((file) => {
      const path = join(file.parentPath, file.name).slice(root.length + 1)
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n').length - 1, imports: importsOf(path, text) }
    })
}

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g)
  return [...found]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((name) => name !== '')
    .map((name) => {
      if (name.startsWith('#')) return name.slice(1)
      return name.startsWith('.') ? normalize(join(dirname(path), name)) : name
    })
}

const all = folders.flatMap(sourcesIn)
const product = all.filter((source) => /^(contract|server|web)\//.test(source.path) && !isTest(source))
const under = (...starts: string[]) => product.filter(({ path }) => starts.some((start) => path.startsWith(start)))
const isOurs = (name: string) => folders.some((folder) => name.startsWith(`${folder}/`)) || name.startsWith('locales/')

/** Every import that a rule forbids, as `who → what`: an empty list is what we want, and a full one is readable. */
const offences = (sources: Source[], isAllowed: (target: string, source: Source) => boolean) =>
  sources.flatMap((source) =>
    source.imports.filter((target) => !isAllowed(target, source)).map((target) => `${source.path} → ${target}`),
  )
const startsWithOneOf =
  (...starts: string[]) =>
  (target: string) =>
    starts.some((start) => target.startsWith(start))
const orForeign = (rule: (target: string, source: Source) => boolean) => (target: string, source: Source) =>
  !isOurs(target) || rule(target, source)

test('the walk finds the files and reads their imports', () => {
  expect(product.length).toBeGreaterThan(60)
  expect(product.find(({ path }) => path === 'server/platform/door.ts')?.imports).toEqual(
    expect.arrayContaining(['contract/permissions.ts', 'server/platform/audit.ts', 'zod/mini']),
  )
})

describe('imports flow one way', () => {
  test('the contract knows only zod and itself', () => {
    const allowed = startsWithOneOf('zod/mini', 'contract/', 'locales/sv/')
    expect(offences(under('contract/'), allowed)).toEqual([])
  })

  test('the web app knows the contract and never the server', () => {
    expect(offences(under('web/'), orForeign(startsWithOneOf('web/', 'contract/', 'locales/')))).toEqual([])
  })

  test('the server never knows the web app', () => {
    expect(
      offences(
        under('server/'),
        orForeign((target) => !target.startsWith('web/')),
      ),
    ).toEqual([])
  })

  test('the floor knows no feature and no provider', () => {
    const settings = ['server/config.ts', 'server/settings.ts', 'server/setting-checks.ts']
    const allowed = startsWithOneOf('server/platform/', 'contract/', 'locales/', ...settings)
    expect(offences(under('server/platform/'), orForeign(allowed))).toEqual([])
  })

  test('the provider stands on the floor and knows no feature', () => {
    const allowed = startsWithOneOf('server/oidc/', 'server/platform/', 'contract/', 'locales/', 'server/config.ts')
    expect(offences(under('server/oidc/'), orForeign(allowed))).toEqual([])
  })

  test('a room reaches another room only through its door', () => {
    const roomOf = (path: string) => path.split('/')[2] ?? ''
    const allowed = (target: string, source: Source) => {
      if (!target.startsWith('server/features/')) return !/^server\/(app|main)\.ts|^server\/(admin|demo)\//.test(target)
      const room = roomOf(target)
      return room === roomOf(source.path) || target === `server/features/${room}/${room}.ts`
    }
    expect(offences(under('server/features/'), orForeign(allowed))).toEqual([])
  })

  test('a screen reaches another room only through its door', () => {
    const roomOf = (path: string) => path.split('/')[2] ?? ''
    const allowed = (target: string, source: Source) => {
      if (!target.startsWith('web/features/'))
        return startsWithOneOf('web/lib/', 'web/ui/', 'contract/', 'locales/')(target)
      const room = roomOf(target)
      return (
        room === roomOf(source.path) || [`${room}.ts`, `${room}.tsx`].includes(target.split('/').slice(3).join('/'))
      )
    }
    expect(offences(under('web/features/'), orForeign(allowed))).toEqual([])
  })

  test('looks know no data and no routes', () => {
    const allowed = (target: string) =>
      isOurs(target) ? target.startsWith('web/ui/') : !/^@tanstack|^(react-)?i18next|^zod/.test(target)
    expect(offences(under('web/ui/'), allowed)).toEqual([])
  })

  test('plumbing knows no screen', () => {
    expect(
      offences(
        under('web/lib/'),
        orForeign((target) => !/^web\/(app|features|sign-in)\//.test(target)),
      ),
    ).toEqual([])
  })

  test('the light entry loads no router, no query library, no i18next and nothing of the app', () => {
    const heavy = /^@tanstack|^(react-)?i18next|^react-hook-form|^@base-ui|^web\/(app|features)\//
    const seen = new Set<string>()
    const reach = (path: string, by: string): string[] => {
      if (heavy.test(path)) return [`${by} → ${path}`]
      const source = product.find((candidate) => candidate.path === path)
      if (!source || seen.has(path)) return []
      seen.add(path)
      return source.imports.flatMap((target) => reach(target, path))
    }
    expect(under('web/sign-in/').flatMap(({ path }) => reach(path, path))).toEqual([])
  })

  test('simulators and tests are no part of the product; the demo, which production never loads, may run a simulator', () => {
    const allowed = (target: string, { path }: Source) =>
      (target.startsWith('simulators/') && path.startsWith('server/demo/')) ||
      !/^(simulators|test|e2e|bench)\/|\.test\.tsx?$/.test(target)
    expect(offences(product, allowed)).toEqual([])
  })

  test('what the server loads is a dependency, not a tool', () => {
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
    const allowed = (target: string) =>
      isOurs(target) ||
      target === 'package.json' ||
      target.startsWith('node:') ||
      packageOf(target) in packageFile.dependencies
    expect(offences(under('contract/', 'server/'), allowed)).toEqual([])
  })
})

// Long because they are lists, not because they do much.
const lists = ['server/platform/database-types.ts', 'server/settings.ts']

describe('files', () => {
  const paths = all.map(({ path }) => path)

  test('have names that say what is in them', () => {
    expect(paths.filter((path) => /(^|[/.-])(utils?|helpers?|common|misc|shared)([/.]|$)/.test(path))).toEqual([])
  })

  test('are in kebab-case, room first, role last', () => {
    const named = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z]+)*)*\.(tsx?|mjs)$/
    expect(paths.filter((path) => !named.test(basename(path)))).toEqual([])
  })

  test('re-export nothing', () => {
    const barrels = all.filter(
      ({ path, text }) => /\/index\.tsx?$/.test(path) || /^export\s+(\*|(type\s+)?\{[^}]*\})\s+from/m.test(text),
    )
    expect(barrels.map(({ path }) => path)).toEqual([])
  })

  test('are at most 200 lines long, with a median of at most 60', () => {
    const measured = product.filter(({ path }) => !lists.includes(path))
    expect(measured.filter(({ lines }) => lines > 200).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
    const sizes = measured.map(({ lines }) => lines).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(60)
  })
})

describe('code', () => {
  const where = (sources: Source[], pattern: RegExp) =>
    sources.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    )

  test('asks who is a super user in permissions.ts alone', () => {
    const elsewhere = product.filter(({ path }) => path !== 'contract/permissions.ts')
    expect(where(elsewhere, /\bactor\??\.superUser\b|\bif\s*\(.*\bsuperUser\b/)).toEqual([])
  })

  test('has classes only for errors, and for the one boundary that React demands as a class', () => {
    const demanded = /^\s*(export\s+)?(abstract\s+)?class\s(?!\w+ extends ([\w.]*(Error|Problem)\b|Component<))/
    expect(where(product, demanded)).toEqual([])
  })

  test('never asks the clock of the machine where one is passed in', () => {
    // The provider's library asks the machine: that file tells by how much the two differ.
    const rooms = under('server/features/', 'server/oidc/').filter(({ path }) => !path.endsWith('/provider-time.ts'))
    expect(where(rooms, /\bDate\.now\(\)|\bnew Date\(\)/)).toEqual([])
  })

  test('begins and commits nowhere but behind the door', () => {
    expect(where(under('server/features/'), /\.transaction\(\)|\b(begin|commit|rollback)\b['`]/)).toEqual([])
  })

  test('puts no value into SQL by hand', () => {
    expect(where(under('server/'), /\bsql\.(raw|lit)\b/)).toEqual([])
  })

  test('of the contract and the floor explains what it exports', () => {
    const unexplained = under('contract/', 'server/platform/').flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, index) => {
        const name = /^export (?:async )?(?:function|interface|class) (\w+)/.exec(line)?.[1]
        return name && !/\*\/\s*$/.test(lines[index - 1] ?? '') ? [`${path} ${name}`] : []
      })
    })
    expect(unexplained.filter((name) => !lists.includes(name.split(' ')[0] ?? ''))).toEqual([])
  })
})
