import { onPostgres15 } from './test/postgres-15.ts'
import config from './vitest.config.ts'

const files = { include: onPostgres15.map((name) => `{server,test}/**/${name}.test.ts`) }

/** For the PostgreSQL in TEST_DATABASE_URL. */
export default { ...config, test: { ...config.test, ...files } }
