// Fills the compile cache with what a start loads, for an image whose file system is read-only when it runs.
import './runtime.mjs'
import { flushCompileCache } from 'node:module'

await Promise.all(
  [
    'start-server',
    'app',
    'create-system',
    'connect-bankid',
    'prepare-database',
    'prepare-content',
    'background-work',
  ].map((part) => import(`./${part}.ts`)),
)
flushCompileCache()
process.exit()
