import { laterTests } from './test/long-tests.ts'
import config from './vitest.config.ts'

const exclude = [...(config.test?.exclude ?? []), ...laterTests]

/** `npm test`: what proves the product to a newcomer. */
export default { ...config, test: { ...config.test, exclude } }
