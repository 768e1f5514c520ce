// `npm run schema`: server/migrations/0001-schema.sql from the files in server/schema/. Only while it is the only migration and
// no release has it. `npm run schema -- suppliers`: a later step that adds what server/schema/suppliers.sql has, for a new room;
// other changes are a step by hand beside the change in server/schema/.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from '#server/platform/database/migrate.ts'
import { readRoom, readSchema } from '#server/platform/database/schema.ts'

const first = '0001-schema.sql'
const steps = readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql'))
const [room] = process.argv.slice(2)
if (room) {
  const next = String(steps.length + 1).padStart(4, '0')
  writeFileSync(join(migrationsFolder, `${next}-${room}.sql`), readRoom(room))
} else {
  const later = steps.filter((file) => file !== first)
  if (later.length > 0) throw new Error(`${first} is fixed: there are later migrations (${later.join(', ')})`)
  writeFileSync(join(migrationsFolder, first), readSchema())
}
