import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import type { Secret } from './secret.ts'

/** The key that seals the data keys: 32 bytes. It prints as `[secret]`. */
export interface MasterKey {
  reveal(): Buffer
  toJSON(): string
}

/** What is wrong with the master key, in one line that names the setting; the server does not start. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

interface MasterKeySettings {
  /** `MASTER_KEY`: at least 32 bytes. */
  masterKey?: Secret | undefined
  /** `MASTER_KEY_FILE`: a file that holds the same. */
  masterKeyFile?: string | undefined
  /** Where a key is made and kept when there is no setting. */
  dataDir: string
  /** In production nobody makes a key for you. */
  production: boolean
}

/**
 * The master key from the settings; without one, outside production, it is made once as `master.key` in the data folder.
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
  if (masterKey) return masterKeyFrom(masterKey.reveal())
  if (masterKeyFile) return masterKeyFrom(await read(masterKeyFile, 'MASTER_KEY_FILE'))
  if (production) throw new MasterKeyError('MASTER_KEY or MASTER_KEY_FILE is missing')
  const path = join(dataDir, 'master.key')
  await makeOnce(path)
  return masterKeyFrom(await read(path, path))
}

/** 32 bytes for this one use, whatever the length and the alphabet of the secret behind them (HKDF, RFC 5869). */
export function masterKeyFrom(secret: string): MasterKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'vestibule master key', 32))
  const shown = () => '[secret]'
  return Object.freeze({ reveal: () => bytes, toString: shown, toJSON: shown, [inspect.custom]: shown })
}

async function read(path: string, setting: string): Promise<string> {
  const [content, { mode, uid }] = await Promise.all([readFile(path, 'latin1'), stat(path)]).catch(
    (error: NodeJS.ErrnoException) => {
      throw new MasterKeyError(`${setting}: the key file cannot be read (${error.code})`)
    },
  )
  // A mounted secret belongs to another user and reaches us through our group; a file of our own is for us alone.
  const forbidden = uid === process.getuid?.() ? 0o077 : 0o027
  if (process.platform !== 'win32' && (mode & forbidden) !== 0)
    throw new MasterKeyError(`${setting} can be read by others: chmod 600 ${path}`)
  if (content.trim().length < 32) throw new MasterKeyError(`${setting} is too short: at least 32 bytes`)
  return content.trim()
}

/** Several processes may start at once on the same folder: whoever links first wins, and everybody reads that one. */
async function makeOnce(path: string): Promise<void> {
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
}
