// What Node must know before it loads our code. Plain JavaScript: for a first file in TypeScript Node would load its type
// stripper, which keeps 14 MB for as long as the process lives; what the compile cache has needs none.
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// One thread per core for hashing, and some for files and DNS. Must be set before the thread pool is first used.
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4)
// The live heap hardly grows, so collect garbage after 12 % growth instead of 100 %: saves a quarter of the memory. Needs
// a larger young generation (npm start), or collection takes a third of the time.
setFlagsFromString('--heap-growing-percent=12')
// V8 keeps the pages that a collection empties, and Node never asks for them: 20 to 30 MB after a busy minute. Above this
// limit the next full collection gives them back. It costs too much to do so each time: decision 0061 has the figures.
const highMemory = 196 * 2 ** 20
const saveMemory = (on) => setFlagsFromString(on ? '--memory-saver-mode' : '--no-memory-saver-mode')
saveMemory(false)
// What Node compiled is valid only with the flags that it was stored with: they are the same while it starts and at its exit.
setInterval(() => saveMemory(process.uptime() > 15 && process.memoryUsage.rss() > highMemory), 1000).unref()
process.once('exit', () => saveMemory(false))
// One thread collects young objects: several leave half-filled pages behind, 8 MB in all, and are no faster on two cores.
setFlagsFromString('--no-parallel-scavenge')
// Later starts skip type stripping and compilation. NODE_COMPILE_CACHE names another folder.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
)
