import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { formLabels } from './scripts/form-labels.ts'

/** What starts and kills servers waits more than it works, so it begins first, beside the rest. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isProcess = ({ moduleId }: TestSpecification) => moduleId.includes('/test/process/')
    return [...sorted.filter(isProcess), ...sorted.filter((file) => !isProcess(file))]
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [formLabels()],
  test: {
    include: ['{contract,server,web,locales,simulators,test,scripts}/**/*.test.{ts,tsx}'],
    // They depend on the machine's timing, so they run by themselves: npm run test:event-loop, npm run test:cluster.
    exclude: ['test/event-loop*.test.ts', 'test/process/cluster.test.ts', '**/node_modules/**'],
    globalSetup: 'test/database-setup.ts',
    environment: 'node',
    restoreMocks: true,
    // Loading the modules once for each worker, and not for each file, takes a third of the time away.
    isolate: false,
    // More than cores, because a test waits for its database or a server during a third of its time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: ProcessesFirst },
    // Generous, for a busy machine: what must be fast says so itself.
    hookTimeout: 60_000,
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
