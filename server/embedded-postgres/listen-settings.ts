import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseStartError, type Location } from './location.ts'

/** Where PostgreSQL listens: a private Unix socket, or TCP on Windows, where Node does not support Unix sockets. */
export async function createListenSettings(place: Location): Promise<Record<string, string>> {
  if (process.platform === 'win32') {
    return { listen_addresses: '127.0.0.1', port: String(await freePort()), unix_socket_directories: '' }
  }
  const folder = socketFolder(place)
  // The folder is private to this database and postmaster.pid protects the data, so an old lock file is safe to remove.
  rmSync(join(folder, '.s.PGSQL.5432.lock'), { force: true })
  // The setting is a list with commas; quotes make a folder with a comma one entry.
  return { listen_addresses: '', port: '5432', unix_socket_directories: `"${folder.replaceAll('"', '""')}"` }
}

function socketFolder(place: Location): string {
  const preferred = join(place.base, 'run')
  // The path of a socket may have at most 107 bytes.
  const fits = Buffer.byteLength(join(preferred, '.s.PGSQL.5432')) <= 107
  const id = createHash('sha256').update(place.base).digest('hex').slice(0, 16)
  const folder = fits ? preferred : join(tmpdir(), `vestibule-${id}`)
  if (!lstatSync(folder, { throwIfNoEntry: false })) {
    mkdirSync(folder, { mode: 0o700 })
    if (place.account) chownSync(folder, place.account.uid, place.account.gid)
  }
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== (place.account?.uid ?? process.getuid?.()) || (found.mode & 0o077) !== 0) {
    throw new DatabaseStartError(`${folder} must be a folder that only the account of the database can enter`)
  }
  return folder
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
