// After the build: prerenders every page of the sign-in entry in every language, so that it shows before scripts run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const root = new URL('../', import.meta.url)
const web = new URL('dist/web/', root)
const folder = new URL('prerendered/', web)
const serverBuild = new URL('dist/prerender/', root)

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(new URL('.vite/manifest.json', web), 'utf8'))
const template = readFileSync(new URL('sign-in.html', web), 'utf8')

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
  const content = files.map((file) => readFileSync(new URL(`.${file}`, web), 'utf8')).join('')
  if (content.includes('</')) throw new Error('inline styles must not contain "</"')
  return content
}

await build({
  configFile: new URL('vite.config.ts', root).pathname,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: new URL('web/sign-in/entry-server.tsx', root).pathname,
    outDir: serverBuild.pathname,
    manifest: false,
    rolldownOptions: { input: new URL('web/sign-in/entry-server.tsx', root).pathname },
  },
})
const { prerendered, renderDocument }: EntryServer = await import(new URL('entry-server.js', serverBuild).href)

const own = [...filesOf('sign-in.html')]
const app = [...filesOf('app.html')].filter((file) => file.endsWith('.css') || !own.includes(file))
const style = oneStyle(own.filter((file) => file.endsWith('.css')))
mkdirSync(folder, { recursive: true })
for (const { page, language, part: name } of prerendered) {
  const texts = `/${chunk(`../virtual:public-texts/${language}`).file}`
  const part = name ? [...filesOf(`sign-in/${name}`)].filter((file) => file.endsWith('.js') && !own.includes(file)) : []
  const html = await renderDocument(template, { page, language, files: { style, texts, part, app } })
  writeFileSync(new URL(`${page}.${language}.html`, folder), html)
}
rmSync(serverBuild, { recursive: true })
console.log(`${prerendered.length} pages prerendered`)
