import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** An operating system account that a child process runs as. */
export interface Account {
  uid: number
  gid: number
}

// Names the data folder, in each base.
const note = 'data-folder'

interface NewBase {
  systemFolder: string
  dataDir: string
  /** The link in the data folder. */
  entry: string
  account: Account
}

/**
 * Makes a folder for the cluster that root's data folder points to, with a name of its own: a data folder that was deleted and made again
 * never gets the cluster of the one before. @returns the folder that the link names
 */
export function makeBase({ systemFolder, dataDir, entry, account }: NewBase): string {
  const base = join(systemFolder, randomBytes(8).toString('hex'))
  mkdirSync(base, { mode: 0o700 })
  writeFileSync(join(base, note), `${realpathSync(dataDir)}\n`)
  chownSync(base, account.uid, account.gid)
  try {
    symlinkSync(base, entry)
    return base
  } catch (error) {
    rmSync(base, { recursive: true })
    // A process that starts at the same time has linked its own.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return realpathSync(entry)
  }
}

/** The bases of earlier data folders in this place, beside the one in use. They stay: the folder may be gone because a disk is not mounted. */
export function findOrphans(systemFolder: string, dataDir: string, used: string): string[] {
  const path = realpathSync(dataDir)
  const named = readdirSync(systemFolder)
    .map((name) => join(systemFolder, name))
    .filter((base) => base !== used && existsSync(join(base, note)))
    .filter((base) => readFileSync(join(base, note), 'utf8').trim() === path)
  // Versions before 0.3 named a base by its data folder.
  const old = join(systemFolder, createHash('sha256').update(path).digest('hex').slice(0, 16))
  return existsSync(old) ? [old, ...named] : named
}
