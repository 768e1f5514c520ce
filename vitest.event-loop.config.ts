import { defineConfig } from 'vitest/config'

/** `npm run test:event-loop`: the worst input of each public field, and of each long one of a session, keeps the event loop for at most 20 ms. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/event-loop*.test.ts'],
    globalSetup: 'test/database-setup.ts',
    environment: 'node',
    restoreMocks: true,
    hookTimeout: 60_000,
    testTimeout: 300_000,
  },
})
