import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import type { Secret } from '../secret.ts'

/** The key that encrypts the data keys: 32 bytes. It prints as `[secret]`. */
export interface MasterKey {
  reveal(): Buffer
  toJSON(): string
}

/** The master key is unusable; one line that names the setting. The server does not start. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

interface MasterKeySettings {
  /** `MASTER_KEY`: at least 32 bytes. */
  masterKey?: Secret | undefined
  /** `MASTER_KEY_FILE`: a file with the same content. */
  masterKeyFile?: string | undefined
  /** Where a key is generated and stored without a setting. */
  dataDir: string
  /** In production no key is generated. */
  production: boolean
}

/**
 * Loads the master key from the settings. Without a setting, outside production, one is generated as `master.key` in the
 * data folder.
 *
 * @throws MasterKeyError in one line that names the setting
 */
export async function loadMasterKey({
  masterKey,
  masterKeyFile,
  dataDir,
  production,
}: MasterKeySettings): Promise<MasterKey> {
  if (masterKey && masterKeyFile) throw new MasterKeyError('MASTER_KEY and MASTER_KEY_FILE are both set: keep one')
  if (masterKey) return deriveMasterKey(masterKey.reveal())
  if (masterKeyFile) return deriveMasterKey(await read(masterKeyFile, 'MASTER_KEY_FILE'))
  if (production) throw new MasterKeyError('MASTER_KEY or MASTER_KEY_FILE is missing')
  const path = join(dataDir, 'master.key')
  await createIfMissing(path)
  return deriveMasterKey(await read(path, path))
}

/** Derives 32 bytes from a secret of any length (HKDF, RFC 5869). */
export function deriveMasterKey(secret: string): MasterKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'vestibule master key', 32))
  const mask = () => '[secret]'
  return Object.freeze({ reveal: () => bytes, toString: mask, toJSON: mask, [inspect.custom]: mask })
}

async function read(path: string, setting: string): Promise<string> {
  const [content, { mode, uid }] = await Promise.all([readFile(path, 'latin1'), stat(path)]).catch(
    (error: NodeJS.ErrnoException) => {
      throw new MasterKeyError(`${setting}: the key file cannot be read (${error.code})`)
    },
  )
  // A mounted secret may be owned by another user and readable by our group; our own file must be private.
  const forbidden = uid === process.getuid?.() ? 0o077 : 0o027
  if (process.platform !== 'win32' && (mode & forbidden) !== 0)
    throw new MasterKeyError(`${setting} can be read by others: chmod 600 ${path}`)
  if (content.trim().length < 32) throw new MasterKeyError(`${setting} is too short: at least 32 bytes`)
  return content.trim()
}

/** Several processes may start on the same folder: `link` is atomic, the first one wins, and all read its key. */
async function createIfMissing(path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) return
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  // Before anything in the database is encrypted with it.
  await syncFolder(dirname(path))
}

/** A new name survives a power failure once its folder is on disk. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
