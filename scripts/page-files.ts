// How the bundler groups the modules of the pages into files.
import { join } from 'node:path'

/** The bundler's module graph. */
interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}
type Page = 'sign-in' | 'app'
type Take = (id: string, graph: Graph) => boolean

/**
 * The modules that a page loads first are grouped into few files, because each file is a round trip and compresses
 * separately: modules that the other page needs too, and modules of one page only. The bundler groups lazy chunks.
 */
const files: readonly (readonly [name: string, takes: Take])[] = [
  ['base', (id, graph) => begins('sign-in', id, graph) && reaches('app', id, graph)],
  // Not needed on the first page. Separate from `frame`, so that forms behind mailed links do not load the app's frame.
  ['shared', (id, graph) => begins('app', id, graph) && reaches('sign-in', id, graph)],
  ['light', (id, graph) => begins('sign-in', id, graph)],
  ['frame', (id, graph) => begins('app', id, graph)],
]

export const pageFiles = files.map(([name, takes], at) => ({
  name: (id: string, graph: Graph) => (takes(id, graph) ? name : null),
  debugName: name,
  priority: files.length - at,
}))

// The bundler's ids have forward slashes, on Windows too.
const web = join(import.meta.dirname, '../web').replaceAll('\\', '/')
const startsOf = (page: Page) => [`${web}/${page}.html`, `${web}/${page}/main.tsx`]

/** Whether a page imports a module statically. The page's entry stays a separate file, which imports the others. */
const begins = (page: Page, id: string, graph: Graph) =>
  !startsOf(page).includes(id) && modulesOf(page, graph).atOnce.has(id)
/** Whether a page needs a module at any time. */
const reaches = (page: Page, id: string, graph: Graph) => modulesOf(page, graph).ever.has(id)

interface Modules {
  atOnce: Set<string>
  ever: Set<string>
}
const known = new Map<Page, Modules>()

function modulesOf(page: Page, graph: Graph): Modules {
  const modules = known.get(page) ?? {
    atOnce: closure(startsOf(page), (id) => graph.getModuleInfo(id)?.importedIds ?? []),
    ever: closure(startsOf(page), (id) => {
      const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
      return [...importedIds, ...dynamicallyImportedIds]
    }),
  }
  known.set(page, modules)
  return modules
}

function closure(starts: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const each of next(id)) add(each)
  }
  for (const start of starts) add(start)
  return found
}
