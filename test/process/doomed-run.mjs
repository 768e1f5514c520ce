// Starts what a test run starts, and waits to be killed. Plain JavaScript, like scripts/external-postgres.mjs.
import { startTemporaryPostgres } from '#test/temporary-postgres.ts'
import { findBinaries, startExternalPostgres } from '../../scripts/external-postgres.mjs'
import { startServerProcess, temporaryDataDir } from './server-process.ts'

await startTemporaryPostgres()
const binaries = findBinaries()
if (binaries) await startExternalPostgres(binaries)
const server = await startServerProcess(temporaryDataDir())
await server.ready
console.log(server.pid)
setInterval(() => {}, 60_000)
