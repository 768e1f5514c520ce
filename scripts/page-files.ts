// How the scripts and styles of the pages are put together into files.

/** What the bundler knows of every module. */
interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}
type Page = 'sign-in' | 'app'
type Take = (id: string, graph: Graph) => boolean

/**
 * What starts the app is small and does not wait for the rest (vite.config.ts, startSmall).
 *
 * What a page begins with comes in as few files as there are, since each is a round trip of its own and compresses by
 * itself: what the other page needs too, now or later, and what is one page's own. What is asked for later lies as the
 * bundler likes.
 */
const files: readonly (readonly [name: string, takes: Take])[] = [
  ['start', (id, graph) => isOfStart(id, graph)],
  ['base', (id, graph) => begins('sign-in', id, graph) && reaches('app', id, graph)],
  // What everybody sees first does without; the forms behind mailed links do not bring the app's frame along for it.
  ['shared', (id, graph) => begins('app', id, graph) && reaches('sign-in', id, graph)],
  ['light', (id, graph) => begins('sign-in', id, graph)],
  ['frame', (id, graph) => begins('app', id, graph)],
]

export const pageFiles = files.map(([name, takes], at) => ({
  name: (id: string, graph: Graph) => (takes(id, graph) ? name : null),
  debugName: name,
  priority: files.length - at,
}))

const web = new URL('../web/', import.meta.url).pathname
const startsOf = (page: Page) => [`${web}${page}.html`, `${web}${page}/main.tsx`]

/** Whether a page needs a module before it can run. Its start stays a file of its own, which names the others. */
const begins = (page: Page, id: string, graph: Graph) =>
  !startsOf(page).includes(id) && modulesOf(page, graph).atOnce.has(id)
/** Whether a page ever needs a module. */
const reaches = (page: Page, id: string, graph: Graph) => modulesOf(page, graph).ever.has(id)

const small = `${web}app/start.ts`
let startsSmall: Set<string> | undefined

const isOfStart = (id: string, graph: Graph) => {
  startsSmall ??= closure([small], (each) => graph.getModuleInfo(each)?.importedIds ?? [])
  return startsSmall.has(id)
}

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
