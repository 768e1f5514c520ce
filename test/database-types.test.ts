import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

const root = join(import.meta.dirname, '..')

test('the generated types match the migrated database (npm run types:db regenerates them)', async () => {
  const database = await createTestDatabase()
  try {
    const options = [join('scripts', 'database-types.ts'), '--check']
    const env = { ...process.env, DATABASE_TYPES_URL: database.ownerUrl }
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root, env })
    expect(stdout).toContain('up-to-date')
  } finally {
    await database.drop()
  }
})
