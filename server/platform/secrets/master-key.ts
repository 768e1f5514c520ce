import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { readPrivateText } from '../private-file.ts'
import type { Secret } from '../secret.ts'
import { WrongValue } from '../wrong-value.ts'

/** The key that encrypts the data keys: 32 bytes. It prints as `[secret]`. */
export interface MasterKey {
  reveal(): Buffer
  toJSON(): string
  /** The one that is to replace it; it opens data keys, too. */
  next?: MasterKey | undefined
}

/** The master key is unusable; one line that names the setting. The server does not start. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

interface MasterKeySettings {
  /** `MASTER_KEY` or the content of `MASTER_KEY_FILE`: at least 32 bytes. */
  masterKey?: Secret | undefined
  /** `MASTER_KEY_NEXT`, while it is replaced. */
  masterKeyNext?: Secret | undefined
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
export async function loadMasterKey(settings: MasterKeySettings): Promise<MasterKey> {
  const { masterKeyNext } = settings
  const current = await loadCurrent(settings)
  const next = masterKeyNext && deriveMasterKey(masterKeyNext.reveal())
  if (next?.reveal().equals(current.reveal()))
    throw new MasterKeyError('MASTER_KEY_NEXT is the same as MASTER_KEY: the replacement is over, remove it')
  return withNext(current, next)
}

async function loadCurrent({ masterKey, dataDir, production }: MasterKeySettings): Promise<MasterKey> {
  if (masterKey) return deriveMasterKey(masterKey.reveal())
  if (production) throw new MasterKeyError('MASTER_KEY or MASTER_KEY_FILE is missing')
  const path = join(dataDir, 'master.key')
  await createIfMissing(path)
  return deriveMasterKey(read(path))
}

/** Derives 32 bytes from a secret of any length (HKDF, RFC 5869). */
export function deriveMasterKey(secret: string): MasterKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'vestibule master key', 32))
  const mask = () => '[secret]'
  return Object.freeze({ reveal: () => bytes, toString: mask, toJSON: mask, [inspect.custom]: mask })
}

/** The same master key, with the one that is to replace it. */
export const withNext = (current: MasterKey, next: MasterKey | undefined): MasterKey =>
  Object.freeze({ ...current, next })

/** What names a master key to operators and other processes, and says nothing of it. */
export const fingerprintOf = (masterKey: MasterKey): string =>
  createHmac('sha256', masterKey.reveal()).update('vestibule master key fingerprint').digest('hex').slice(0, 16)

/** The generated key, which an operator may have put there from another machine. */
function read(path: string): string {
  try {
    const text = readPrivateText(path)
    if (Buffer.byteLength(text) >= 32) return text
    throw new WrongValue('is too short: at least 32 bytes')
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    throw new MasterKeyError(`${path} ${error.message}`)
  }
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
