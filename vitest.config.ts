import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['{contract,server,web,locales,simulators,test,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: 'test/database-setup.ts',
    environment: 'node',
    restoreMocks: true,
    // A file opens its database and starts its app once, before its first test.
    hookTimeout: 30_000,
    testTimeout: 20_000,
  },
})
