import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['{contract,server,web,locales,simulators,test,scripts}/**/*.test.{ts,tsx}'],
    // Depend on the machine's timing, so they run by themselves: npm run test:event-loop, npm run test:rolling-restart.
    exclude: ['test/event-loop.test.ts', 'test/process/rolling-restart.test.ts', '**/node_modules/**'],
    globalSetup: 'test/database-setup.ts',
    environment: 'node',
    restoreMocks: true,
    // Loading the modules once for each worker, and not for each file, takes a third of the time away.
    isolate: false,
    // Otherwise one core is left alone, and on two that is half of them.
    maxWorkers: '100%',
    // Generous, for a busy machine: what must be fast says so itself.
    hookTimeout: 60_000,
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
