import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['{contract,server,web,locales,simulators,test,scripts}/**/*.test.{ts,tsx}'],
    environment: 'node',
    restoreMocks: true,
  },
})
