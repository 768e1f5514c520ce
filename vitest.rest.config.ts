import { laterTests } from './test/long-tests.ts'
import config from './vitest.config.ts'

/** `npm run test:rest`: what `npm test` leaves out. */
export default {
  ...config,
  test: { ...config.test, include: laterTests.map((path) => path.replace('**', '**/*.test.ts')) },
}
