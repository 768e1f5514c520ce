// After the build: prerenders every page of the sign-in entry in every language, so that it shows before scripts run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
interface Files {
  style: string
  texts: string
  part: readonly string[]
  app: readonly string[]
}
/** The interface of web/sign-in/entry-server.tsx; declared here, because scripts are compiled without JSX. */
interface EntryServer {
  prerendered: readonly { page: string; language: string; part?: string }[]
  renderDocument: (template: string, page: { page: string; language: string; files: Files }) => Promise<string>
}

const root = join(import.meta.dirname, '..')
const web = join(root, 'dist/web')
const folder = join(web, 'prerendered')
const serverBuild = join(root, 'dist/prerender')
const entry = join(root, 'web/sign-in/entry-server.tsx')

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(web, '.vite/manifest.json'), 'utf8'))
const template = readFileSync(join(web, 'sign-in.html'), 'utf8')

function chunk(key: string): Chunk {
  const found = manifest[key]
  if (!found) throw new Error(`The build has no ${key}`)
  return found
}

/** The scripts and styles that a page loads at once. */
function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const { file, imports = [], css = [] } = chunk(key)
  if (seen.has(`/${file}`)) return seen
  for (const each of [file, ...css]) seen.add(`/${each}`)
  for (const each of imports) filesOf(each, seen)
  return seen
}

/** Styles block rendering, so the sign-in pages contain them inline (decision 0009). */
function oneStyle(files: string[]): string {
  const content = files.map((file) => readFileSync(join(web, file), 'utf8')).join('')
  if (content.includes('</')) throw new Error('inline styles must not contain "</"')
  return content
}

await build({
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: entry,
    outDir: serverBuild,
    manifest: false,
    rolldownOptions: { input: entry },
  },
})
const { prerendered, renderDocument }: EntryServer = await import(
  pathToFileURL(join(serverBuild, 'entry-server.js')).href
)

const own = [...filesOf('sign-in.html')]
const app = [...filesOf('app.html')].filter((file) => file.endsWith('.css') || !own.includes(file))
const style = oneStyle(own.filter((file) => file.endsWith('.css')))
mkdirSync(folder, { recursive: true })
for (const { page, language, part: name } of prerendered) {
  const texts = `/${chunk(`../virtual:public-texts/${language}`).file}`
  const part = name ? [...filesOf(`sign-in/${name}`)].filter((file) => file.endsWith('.js') && !own.includes(file)) : []
  const html = await renderDocument(template, { page, language, files: { style, texts, part, app } })
  writeFileSync(join(folder, `${page}.${language}.html`), html)
}
rmSync(serverBuild, { recursive: true })
console.log(`${prerendered.length} pages prerendered`)
