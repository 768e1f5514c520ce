// `npm run types:db`: server/platform/database/database-types.ts from the migrations; with --check it only tells whether that
// file is still true. DATABASE_TYPES_URL names a migrated database; without it, one is made and thrown away.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loginMethodNames } from '#contract/login-methods.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { startTemporaryPostgres } from '#test/temporary-postgres.ts'

const root = join(import.meta.dirname, '..')
const { columns } = JSON.parse(readFileSync(join(root, '.kysely-codegenrc.json'), 'utf8')).overrides
const oneOf = [...loginMethodNames].sort().map((name) => `'${name}'`).join(' | ')
const loginMethodColumns = { 'organizations.login_method': oneOf, 'users.login_method': oneOf }

function generate(url: string): number {
  const program = join(root, 'node_modules', '.bin', 'kysely-codegen')
  const overrides = JSON.stringify({ columns: { ...columns, ...loginMethodColumns } })
  const options = ['--url', url, '--log-level', 'info', '--overrides', overrides, ...(process.argv.includes('--check') ? ['--verify'] : [])]
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8', cwd: root })
  process.stdout.write(stdout)
  // The generator needs an API of older TypeScript versions; without it, it warns for every override but works.
  const complaint = /^(Failed to parse type expression| {4}at )/
  process.stderr.write(
    stderr
      .split('\n')
      .filter((line) => !complaint.test(line))
      .join('\n'),
  )
  return status ?? 1
}

async function withDatabase(work: (url: string) => number): Promise<number> {
  const database = await startTemporaryPostgres()
  try {
    await migrate({ ownerUrl: database.ownerUrl, appRole: 'vestibule_app', say: console.log })
    return work(database.ownerUrl)
  } finally {
    await database.stop()
  }
}

const { DATABASE_TYPES_URL: url } = process.env
process.exitCode = url ? generate(url) : await withDatabase(generate)
