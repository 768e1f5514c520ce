import { defineConfig } from 'vitest/config'

/** `npm run test:cluster`: a database under Patroni fails over, gets a machine back, and is restored to a moment. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/process/cluster.test.ts'],
    environment: 'node',
    hookTimeout: 240_000,
    testTimeout: 240_000,
  },
})
