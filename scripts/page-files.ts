// How the scripts and styles of the pages are put together into files.

/** What the bundler knows of every module. */
interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}
type Page = 'sign-in' | 'app'

const web = new URL('../web/', import.meta.url).pathname
const startsOf = (page: Page) => [`${web}${page}.html`, `${web}${page}/main.tsx`]

/**
 * What a page begins with comes in as few files as there are, since each is a round trip of its own and compresses by
 * itself: what both pages share, and what is one page's own. What is asked for later lies as the bundler likes.
 */
export const pageFiles = [
  { name: 'base', takes: (id: string, graph: Graph) => begins('sign-in', id, graph) && begins('app', id, graph) },
  { name: 'base', takes: (id: string) => id.includes('rolldown/runtime') },
  { name: 'light', takes: (id: string, graph: Graph) => begins('sign-in', id, graph) },
  { name: 'frame', takes: (id: string, graph: Graph) => begins('app', id, graph) },
].map(({ name, takes }, at, { length }) => ({
  name: (id: string, graph: Graph) => (takes(id, graph) ? name : null),
  debugName: name,
  priority: length - at,
}))

/** Whether a page needs a module before it can run. Its start stays a file of its own, which names the others. */
const begins = (page: Page, id: string, graph: Graph) => !startsOf(page).includes(id) && beginning(page, graph).has(id)

const beginnings = new Map<Page, Set<string>>()

function beginning(page: Page, graph: Graph): Set<string> {
  const known = beginnings.get(page)
  if (known) return known
  const found = new Set<string>()
  const add = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const start of startsOf(page)) add(start)
  beginnings.set(page, found)
  return found
}
