import { longTests } from './test/long-tests.ts'
import config from './vitest.config.ts'

const exclude = [...(config.test?.exclude ?? []), ...longTests]

/** `npm run check`: the tests that are quick. */
export default { ...config, test: { ...config.test, exclude } }
