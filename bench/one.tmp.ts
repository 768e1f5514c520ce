import { mkdtempSync } from 'node:fs'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { measureChanges } from './changes.ts'
import { table } from './measure.ts'
import { startPortal } from './portal.ts'
const folder = mkdtempSync('/tmp/vestibule-bench-db-')
const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
const external = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR: folder }
await (await startPortal(external)).stop()
try { console.log(table(await measureChanges(external, database.ownerUrl))) } finally { await database.stop() }
