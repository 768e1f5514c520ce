import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { measureAudit } from './audit.ts'
import { measureChanges } from './changes.ts'
import { measureFirstPaint } from './first-paint.ts'
import { measureImports } from './imports.ts'
import { measureLauncher } from './launcher.ts'
import { measureMails } from './mails.ts'
import { measureMe } from './me.ts'
import { budget, type Figure, median, table } from './measure.ts'
import { measureOverload } from './overload.ts'
import { startPortal } from './portal.ts'
import { measurePostCalls } from './post-calls.ts'
import { measureServices } from './services.ts'
import { measureSignIns } from './sign-ins.ts'

/** Every measurement, one after the other on the same machine, as one table. */
async function run(): Promise<void> {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`)
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-bench-db-'))
  const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  const external = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR: folder }
  try {
    const figures: Figure[] = []
    // The first start migrates and loads the demo; what counts is what an upgrade or a restart takes.
    await (await startPortal(external)).stop()
    const starts: number[] = []
    for (let again = 0; again < 5; again++) {
      const portal = await startPortal(external)
      starts.push(portal.startMs)
      await portal.stop()
    }
    figures.push(budget('start to the first 200, external database', median(starts), 'ms', 1000))
    const portal = await startPortal(external)
    try {
      figures.push(...(await measureSignIns(portal, database.appUrl)))
      figures.push(...(await measureMe(portal, database.appUrl)))
      figures.push(...(await measureServices(portal, database.appUrl, database.ownerUrl)))
      figures.push(...(await measureOverload(portal)))
      figures.push(budget('memory after load, without PostgreSQL', await portal.memory(), 'MB', 256))
      figures.push(...(await measureFirstPaint(portal)))
      figures.push(...(await measureImports(portal)))
      figures.push(...(await measureLauncher(portal)))
    } finally {
      await portal.stop()
    }
    figures.push(...(await measureAudit(database)))
    figures.push(...(await measureChanges(external, database.ownerUrl)))
    figures.push(...(await measureMails(database, folder)))
    figures.push(...(await measurePostCalls()))
    console.log(`\n${table(figures)}`)
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await run()
