// `npm run schema`: server/migrations/0001-schema.sql from the files in server/schema/. Only while it is the only migration and
// no release has it; later changes are a step of their own beside the change in server/schema/.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from '#server/platform/database/migrate.ts'
import { readSchema } from '#server/platform/database/schema.ts'

const first = '0001-schema.sql'
const later = readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql') && file !== first)
if (later.length > 0) throw new Error(`${first} is fixed: there are later migrations (${later.join(', ')})`)
writeFileSync(join(migrationsFolder, first), readSchema())
