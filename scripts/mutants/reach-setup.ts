import { afterAll, beforeAll } from 'vitest'

/** The functions of the product that have run, each as `file:number`; see `markFunctions`. */
declare global {
  var reachedFunctions: Set<string>
}
declare module 'vitest' {
  interface TaskMeta {
    reached?: string[]
  }
}

globalThis.reachedFunctions ??= new Set()
// What ran while modules were loaded says nothing about this file: others find them loaded.
beforeAll(() => globalThis.reachedFunctions.clear())
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures a hook takes.
afterAll(({}, suite) => {
  suite.file.meta.reached = [...globalThis.reachedFunctions]
})
