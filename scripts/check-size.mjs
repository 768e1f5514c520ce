// Checks the built files against the size budgets: the scripts that each page loads first, each lazy chunk, the fonts.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './prepare.mjs'

const KB = 1024
const budgets = [
  {
    page: 'sign-in',
    entry: 'sign-in.html',
    also: [/^\.\.\/virtual:public-texts\//, /^sign-in\/.*-page\.tsx$/],
    limit: 95 * KB,
  },
  { page: 'launcher', entry: 'app.html', also: [/^features\/launcher\//], limit: 190 * KB },
]
const lazyLimit = 45 * KB
/** What web/app/prefetch-parts.ts prefetches while the page is idle: every form and dialog depends on it. */
const ahead = ['lib/forms/entity-form.ts', 'lib/dialogs/form-dialog.tsx', 'lib/dialogs/loading-dialog.tsx']
const fontLimit = 50 * KB

const web = join(root, 'dist/web')
const manifestFile = join(web, '.vite/manifest.json')
if (!existsSync(manifestFile)) {
  console.error('Nothing is built: run npm run build:web first.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
const sizes = new Map()

/** The gzipped size of a built file, in bytes. */
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(web, file)), { level: 9 }).length)
  return sizes.get(file)
}

/** The given chunks and their static imports. */
function parts(keys, found = new Set()) {
  for (const key of keys) {
    if (found.has(key)) continue
    found.add(key)
    parts(manifest[key].imports ?? [], found)
  }
  return found
}

/** Their scripts. */
const scripts = (keys) =>
  new Set([...parts(keys)].map((key) => manifest[key].file).filter((file) => file.endsWith('.js')))

const total = (files) => [...files].reduce((sum, file) => sum + size(file), 0)
const rows = []

for (const { page, entry, also, limit } of budgets) {
  if (!manifest[entry]) throw new Error(`The build has no ${entry}`)
  const atOnce = scripts([entry])
  // The page loads one of several alternative chunks: the largest counts.
  const next = [...parts([entry])].flatMap((key) => manifest[key].dynamicImports ?? [])
  const largest = also.map((kind) => {
    const alternatives = next.filter((key) => kind.test(key))
    return Math.max(0, ...alternatives.map((key) => total([...scripts([key])].filter((file) => !atOnce.has(file)))))
  })
  rows.push({ what: `${page}, all scripts`, size: total(atOnce) + largest.reduce((sum, part) => sum + part), limit })
}

const app = scripts(['app.html'])
const light = scripts(['sign-in.html'])
const editing = scripts(ahead)
rows.push({
  what: 'forms and dialogs, fetched ahead',
  size: total([...editing].filter((file) => !app.has(file))),
  limit: lazyLimit,
})
for (const [key, { isDynamicEntry, file }] of Object.entries(manifest)) {
  if (!isDynamicEntry || !file.endsWith('.js')) continue
  if (ahead.includes(key)) continue
  const there = key.startsWith('sign-in/') ? light : new Set([...app, ...editing])
  const own = [...scripts([key])].filter((part) => !there.has(part))
  rows.push({ what: key, size: total(own), limit: lazyLimit })
}

const fonts = readdirSync(join(web, 'assets')).filter((name) => /\.(woff2?|ttf|otf)$/.test(name))
rows.push({
  what: `fonts (${fonts.length})`,
  size: fonts.reduce((sum, name) => sum + statSync(join(web, 'assets', name)).size, 0),
  limit: fontLimit,
})

const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`.padStart(9)
for (const row of rows) {
  const over = row.size > row.limit
  console.log(`${over ? 'over' : 'ok  '} ${kb(row.size)} of ${kb(row.limit)}  ${row.what}`)
}
const over = rows.filter((row) => row.size > row.limit)
if (over.length > 0) {
  console.error(`${over.length} of ${rows.length} budgets exceeded`)
  process.exit(1)
}
