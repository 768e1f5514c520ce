// A temporary PostgreSQL from the distribution's packages, to run the API tests as with DATABASE_URL. Plain JavaScript,
// because it runs before anything is installed.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpOnExit } from '#test/watchdog.mjs'

const versions = '/usr/lib/postgresql'
const isRoot = process.getuid?.() === 0

/** The folder of the oldest PostgreSQL that we support and this machine has. */
export function findBinaries() {
  if (!existsSync(versions)) return undefined
  const found = readdirSync(versions)
    .filter((version) => Number(version) >= 15 && existsSync(join(versions, version, 'bin', 'initdb')))
    .sort((a, b) => Number(a) - Number(b))[0]
  return found && join(versions, found, 'bin')
}

/** Starts a fresh cluster on a free port; returns its URL and a function to stop it. */
export async function startExternalPostgres(binaries) {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-external-'))
  const account = isRoot ? postgresAccount() : {}
  if (isRoot) chownSync(folder, account.uid, account.gid)
  const port = await freePort()
  const data = join(folder, 'data')
  const cleared = cleanUpOnExit({ cluster: data, folders: [folder] })
  const options = { ...account, cwd: folder, stdio: 'pipe', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  try {
    execFileSync(
      join(binaries, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      options,
    )
    // Three test workers per two cores, each with the pools of two portals and further connections of its tests.
    const connections = 100 + 75 * availableParallelism()
    const place = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
    const settings = `${place} -c fsync=off -c max_connections=${connections}`
    const log = ['-l', join(folder, 'log'), '-o', settings]
    execFileSync(join(binaries, 'pg_ctl'), ['start', '-w', '-D', data, ...log], { ...options, stdio: 'ignore' })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      execFileSync(join(binaries, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], options)
      rmSync(folder, { recursive: true, force: true })
      cleared()
    },
  }
}

function postgresAccount() {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  if (!line) throw new Error('there is no account postgres')
  const [, , uid, gid] = line.split(':').map(Number)
  return { uid, gid }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
