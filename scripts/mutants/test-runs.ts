import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { BaseSequencer, createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import type { Change } from './sql.ts'
import { readSource } from './typescript.ts'

/** The project's folder. */
export const root = join(import.meta.dirname, '../..')

/** A change of one file of the product. */
export interface ChangedFile extends Change {
  file: string
}

/** What the run of some test files said. */
export interface Outcome {
  /** The first test that failed, or why there is none: the time is over. */
  failed: string | undefined
  /** The files that have run to their end. */
  passed: string[]
}

/** A Vitest that stays: a run costs its tests, and not a new database server and everybody's modules. */
export interface TestRuns {
  /** The files of all tests, from the project's folder. */
  files(filters: string[]): Promise<string[]>
  /** Runs test files one after the other, in this order, until one fails. */
  run(tests: readonly string[], seconds: number, changed?: ChangedFile): Promise<Outcome>
  /** Runs each and notes which functions it reaches, in how many milliseconds; files with a failure are left out. */
  measure(
    tests: readonly string[],
    note: (test: string, reached: readonly string[], milliseconds: number) => void,
  ): Promise<void>
  /** Addresses of the template databases; there are none before the first run. */
  templates(): string[]
  close(): Promise<void>
}

/** Starts it. Files are changed when they are loaded; none is written. */
export async function openTestRuns(): Promise<TestRuns> {
  let changed: ChangedFile | undefined
  let marks = false
  let order: string[] = []
  let onEnd: (module: TestModule) => void = () => {}
  const plugin: Plugin = {
    name: 'mutants',
    enforce: 'pre',
    transform(code, id) {
      const file = relative(root, id)
      if (file === changed?.file) return code.slice(0, changed.start) + changed.text + code.slice(changed.end)
      return marks && isProduct(file) ? markFunctions(file, code) : undefined
    },
  }
  class AsAsked extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      const place = ({ moduleId }: TestSpecification) => order.indexOf(relative(root, moduleId))
      return files.toSorted((one, other) => place(one) - place(other))
    }
  }
  const open = (bail: number): Promise<Vitest> =>
    createVitest(
      'test',
      { root, watch: false, bail, maxWorkers: 1, reporters: [{ onTestModuleEnd: (module) => onEnd(module) }] },
      {
        plugins: [plugin],
        // What hangs has changed, too.
        test: {
          testTimeout: 30_000,
          setupFiles: [join(import.meta.dirname, 'reach-setup.ts')],
          sequence: { sequencer: AsAsked },
        },
      },
    )
  let vitest = await open(1)
  const specifications = async (tests: readonly string[]) => {
    order = [...tests]
    const all = await vitest.globTestSpecifications()
    return all.filter(({ moduleId }) => order.includes(relative(root, moduleId)))
  }

  return {
    async files(filters) {
      const all = await vitest.globTestSpecifications()
      const files = all.map(({ moduleId }) => relative(root, moduleId))
      return files.filter((file) => filters.length === 0 || filters.some((filter) => file.startsWith(filter)))
    },
    async measure(tests, note) {
      await vitest.close()
      marks = true
      vitest = await open(0)
      onEnd = (module) => {
        const { duration } = module.diagnostic()
        if (module.ok()) note(relative(root, module.moduleId), module.meta().reached ?? [], Math.round(duration))
        else console.log(`  fails by itself: ${relative(root, module.moduleId)}`)
      }
      await vitest.runTestSpecifications(await specifications(tests))
      await vitest.close()
      marks = false
      vitest = await open(1)
    },
    async run(tests, seconds, change) {
      const wanted = await specifications(tests)
      changed = change
      if (change) vitest.invalidateFile(join(root, change.file))
      const outcome: Outcome = { failed: undefined, passed: [] }
      let isOver = false
      onEnd = (module) => {
        const bad = [...module.children.allTests()].find((test) => test.result().state === 'failed')
        const why = (bad?.result().errors ?? module.errors())[0]?.message.split('\n')[0]
        if (bad || module.errors().length > 0)
          outcome.failed ??= `${relative(root, module.moduleId)}: ${bad?.fullName ?? 'no test of it'}: ${why}`
        else if (!isOver && module.state() === 'passed') outcome.passed.push(relative(root, module.moduleId))
      }
      let timer: NodeJS.Timeout | undefined
      const running = vitest.runTestSpecifications(wanted)
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), seconds * 1000)
      })
      isOver = (await Promise.race([running, late])) === 'late'
      if (isOver) await vitest.cancelCurrentRun('keyboard-input')
      const { unhandledErrors } = await running
      clearTimeout(timer)
      if (unhandledErrors.length > 0) outcome.failed ??= `an error outside of tests: ${String(unhandledErrors[0])}`
      changed = undefined
      if (change) vitest.invalidateFile(join(root, change.file))
      return outcome
    },
    templates() {
      const { ownerUrl, template, templateWithKeys } = vitest.getRootProject().getProvidedContext().testServer
      return [template, templateWithKeys].map((name) => {
        const address = new URL(ownerUrl)
        address.pathname = `/${name}`
        return address.href
      })
    },
    close: () => vitest.close(),
  }
}

/** Whether a file is part of the server, and not a test or its data. */
export const isProduct = (file: string): boolean => /^server\/.*\.ts$/.test(file) && !/\.test\.ts$/.test(file)

/** The source with a note at the begin of each function: which tests reach it. */
export function markFunctions(file: string, source: string): string {
  const inserts: { at: number; text: string; order: number }[] = []
  readSource(file, source).functions.forEach(({ body: [start, end], block }, number) => {
    const mark = `globalThis.reachedFunctions?.add('${file}:${number}')`
    if (block) inserts.push({ at: start + 1, text: `${mark};`, order: 0 })
    else inserts.push({ at: start, text: `(${mark}, `, order: -start }, { at: end, text: ')', order: -start })
  })
  let marked = source
  for (const { at, text } of inserts.sort((a, b) => b.at - a.at || a.order - b.order))
    marked = marked.slice(0, at) + text + marked.slice(at)
  return marked
}
