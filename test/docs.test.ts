import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kept } from '#contract/kept.ts'
import english from '#locales/en/translation.json' with { type: 'json' }
import { settingsTables } from '#server/admin/settings.ts'
import packageFile from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const folders = '.ci bench contract deploy docs e2e locales scripts server simulators test tools web'.split(' ')
const files = [
  ...readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile()),
  ...folders.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true })),
].flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(root.length + 1)] : []))
const pages = files.filter((path) => path.endsWith('.md'))
/** Without migrations, which must never change. */
const texts = files.filter(
  (path) => /\.(md|tsx?|mjs|css|html|sql)$/.test(path) && !path.startsWith('server/migrations/'),
)

describe('the documentation', () => {
  test('lists every setting and every limit with its current value', () => {
    expect(read('docs/operations.md')).toContain(settingsTables())
  })

  test('says of every table whether it holds personal data, and for how long things are kept', () => {
    const privacy = read('docs/privacy.md')
    const [, list = ''] = read('server/platform/database/database-types.ts').split('export interface DB {')
    const tables = [...list.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    )
    expect(tables).toContain('sessions')
    expect(tables.filter((table) => !privacy.includes(`\`${table}\``))).toEqual([])
    const lines = Object.values(kept).map(
      ({ env, text, fallback, unit }) => `| ${english[text]} | \`${env}\` | ${fallback} ${unit}s |`,
    )
    expect(privacy).toContain(lines.join('\n'))
  })

  /** The names by which a link reaches the headings of a page, as GitHub makes them. */
  const headings = (page: string) =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
        .replaceAll(' ', '-'),
    )

  test.each(pages)('%s points only to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)]
    const missing = links.filter(([, target = '', heading]) => {
      if (/^[a-z]+:/.test(target)) return false
      const file = target === '' ? page : join(dirname(page), target)
      return !existsSync(join(root, file)) || (heading !== undefined && !headings(file).includes(heading))
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })

  test.each(pages)('%s has no line over 150 characters outside tables and code', (page) => {
    const lines = read(page).split('\n')
    let isCode = false
    const long = lines.filter((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      // An address alone cannot be broken.
      return !isCode && line.length > 150 && !/^\s*(\||\S+$)/.test(line)
    })
    expect(isCode).toBe(false)
    expect(long).toEqual([])
  })

  /** The matches of `find` anywhere in the project that do not fit, as `file: reference`. */
  const misfits = (find: RegExp, fits: (reference: string, page: string) => boolean) =>
    texts.flatMap((path) =>
      [...read(path).matchAll(find)]
        .map(([, reference = '']) => reference)
        .filter((reference) => !fits(reference, path))
        .map((reference) => `${path}: ${reference}`),
    )

  test('names only commands and settings that exist', () => {
    expect(misfits(/\bnpm run ([a-z][\w:-]*)/g, (name) => name in packageFile.scripts)).toEqual([])
    const commands = [...read('server/admin.ts').matchAll(/^ {2}'?([a-z -]+)'?: \(\) => import/gm)].map(
      ([, name = '']) => name,
    )
    const isCommand = (words: string, page: string) =>
      !page.endsWith('.md') || ['help', ...commands].some((name) => `${words} `.startsWith(`${name} `))
    expect(misfits(/\badmin -- ([a-z-]+(?: [a-z-]+)?)/g, isCommand)).toEqual([])
    const settings = settingsTables()
    const isSetting = (name: string, page: string) => !page.endsWith('.md') || settings.includes(`\`${name}\``)
    expect(misfits(/\b((?:LIMIT|KEEP|AUDIT)_[A-Z_]*[A-Z])\b/g, isSetting)).toEqual([])
  })

  test('exists for every cited page', () => {
    const isThere = (target: string, page: string) =>
      files.includes(target) || files.includes(join(dirname(page), target)) || !target.endsWith('.md')
    expect(misfits(/(?<![\w/.:-])((?:\.\.\/)*[\w/.-]+\.md)\b/g, isThere)).toEqual([])
    expect(
      misfits(/(?<![\w/-])(docs\/[\w/.-]*\w)/g, (target) => files.some((path) => path.startsWith(target))),
    ).toEqual([])
  })

  test('exists for every cited decision', () => {
    const isDecision = (number: string) => files.some((path) => path.startsWith(`docs/decisions/${number}-`))
    expect(misfits(/\bdecisions?[ /](\d{4})\b/gi, isDecision)).toEqual([])
  })

  test('has every decision once in the index, with its title and state, and a superseded one names its successor', () => {
    const folder = 'docs/decisions'
    const records = files.filter((path) => path.startsWith(`${folder}/0`)).map((path) => path.slice(folder.length + 1))
    const state = (record: string) =>
      /^Status: (accepted|withdrawn|superseded by \[\d{4}\]\([^)]+\))/m.exec(read(`${folder}/${record}`))?.[1]
    const rows = records.map((record) => {
      const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(read(`${folder}/${record}`)) ?? []
      return `| [${number}](${record}) | ${title} | ${state(record)} |`
    })
    const index = [...read('docs/decisions/README.md').matchAll(/^\| \[\d.*$/gm)].map(([row]) => row)
    expect(index.toSorted()).toEqual(rows.toSorted())
    const successors = records.flatMap((record) => /\]\(([^)]+)/.exec(state(record) ?? '')?.[1] ?? [])
    expect(successors.length).toBeGreaterThan(0)
    expect(successors.filter((record) => !records.includes(record) || state(record) !== 'accepted')).toEqual([])
    const gone = records.filter((record) => state(record) !== 'accepted').map((record) => record.slice(0, 4))
    const cited = misfits(/\bdecisions?[ /](\d{4})\b/gi, (number) => !gone.includes(number))
    expect(cited.filter((line) => !/^(docs\/decisions\/|CHANGELOG)/.test(line))).toEqual([])
  })

  test('names an existing test for every promise of docs/security.md', () => {
    const promises = [...read('docs/security.md').matchAll(/^\| \d+ \|.*$/gm)].map(([row]) => row)
    const tests = (row: string) => [...row.matchAll(/([\w.-]+\.test\.ts)/g)].map(([, name = '']) => name)
    expect(promises.filter((row) => tests(row).length === 0)).toEqual([])
    const missing = promises.flatMap(tests).filter((name) => !files.some((path) => path.endsWith(`/${name}`)))
    expect(missing).toEqual([])
  })

  test.each([
    ['docs/public-holes.md', 60],
    ['docs/saml-profiles.md', 60],
  ])('%s names only tests that exist, by file and title', (page, least) => {
    const rows = [...read(page).matchAll(/^\| .*`[\w./-]+\.test\.ts`.* \|$/gm)].map(([row]) => row)
    expect(rows.length).toBeGreaterThan(least)
    const missing = rows.flatMap((row) => {
      let file = ''
      return [...row.matchAll(/`([\w./-]+\.test\.ts)`|“([^”]+)”/g)].flatMap(([, name, title = '']) => {
        file = name ?? file
        const tests = files.filter((path) => `/${path}`.endsWith(`/${file}`))
        return tests.some((path) => read(path).includes(title)) ? [] : [`${file} ${title}`]
      })
    })
    expect(missing).toEqual([])
  })

  test('exists for every cited number of a rule or promise', () => {
    const rules = read('docs/product-rules.md').split(/^## /m)
    const isRule = (number: string) => {
      const [section, item] = number.split('.')
      const text = rules.find((rule) => rule.startsWith(`${section}. `))
      return text !== undefined && (item === undefined || new RegExp(`^${item}\\. `, 'm').test(text))
    }
    const promises = [...read('docs/security.md').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => number)
    expect(new Set(promises).size).toBe(promises.length)
    expect(misfits(/\bproduct-rules (\d+(?:\.\d+)?)/g, isRule)).toEqual([])
    expect(misfits(/\bsecurity (\d+)/g, (number) => promises.includes(number))).toEqual([])
  })

  test.each(pages)('%s names only source files that exist', (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+\.(?:tsx?|mjs|css|sql))`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !files.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual([])
  })
})
