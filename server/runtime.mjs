// What Node must know before it loads our code. Plain JavaScript: for a first file in TypeScript Node would load its type
// stripper, which keeps 14 MB for as long as the process lives; what the compile cache has needs none.
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// One thread per core for hashing, and some for files and DNS. Must be set before the thread pool is first used.
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4)
// Later starts skip type stripping and compilation. NODE_COMPILE_CACHE names another folder.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
)
