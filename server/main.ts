import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Before anything of ours is loaded: the second start need not strip types and compile again.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))
const { main } = await import('./start-server.ts')
await main()
