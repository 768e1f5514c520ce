import { defineConfig } from 'vitest/config'

/** `npm run test:rolling-restart`: two nodes restart in turn, and no request is lost. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/process/rolling-restart.test.ts'],
    environment: 'node',
    restoreMocks: true,
    hookTimeout: 60_000,
    testTimeout: 300_000,
  },
})
