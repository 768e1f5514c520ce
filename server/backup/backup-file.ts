import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { PassThrough, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

// The file: a line of JSON that says how to read it, the compressed content, encrypted where there is a passphrase, and a
// trailer that proves that nothing was changed or cut off: the tag of AES-256-GCM, or a SHA-256.

/** Why a backup cannot be written or read, in one line for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}

interface Header {
  format: 'vestibule-backup'
  version: 1
  encryption: { cipher: 'aes-256-gcm'; salt: string; iv: string } | null
}

const trailerBytes = (header: Header) => (header.encryption ? 16 : 32)
const longestHeader = 1000

// 128 MiB for one guess at the passphrase.
const deriveKey = (passphrase: string, salt: Buffer) =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 })

/**
 * Writes the content to a new file, readable by its owner alone. The name appears when everything is on disk.
 *
 * @returns the size in bytes
 * @throws BackupError when the file exists
 */
export async function writeBackupFile(
  path: string,
  { content, passphrase }: { content: AsyncIterable<Buffer>; passphrase: string | undefined },
): Promise<number> {
  const encryption = passphrase === undefined ? null : newEncryption()
  const header: Header = { format: 'vestibule-backup', version: 1, encryption }
  const headerLine = Buffer.from(`${JSON.stringify(header)}\n`)
  const seal =
    encryption && passphrase !== undefined
      ? sealing(createCipher(encryption, passphrase).setAAD(headerLine))
      : hashing(createHash('sha256').update(headerLine))
  const unfinished = `${path}.unfinished`
  const file = await open(path, 'wx', 0o600).catch(explainFile)
  await file.close()
  try {
    const target = await open(unfinished, 'w', 0o600)
    const output = target.createWriteStream({ flush: true })
    output.write(headerLine)
    await pipeline(Readable.from(content, { objectMode: false }), createGzip({ level: 3 }), seal, output)
    await rename(unfinished, path)
    return output.bytesWritten
  } catch (error) {
    await Promise.all([rm(unfinished, { force: true }), rm(path, { force: true })])
    throw explainedFile(error)
  }
}

/**
 * Reads the content. It is proven only at its end: do nothing final with it before.
 *
 * @throws BackupError when the file is none, was changed or cut off, or the passphrase is wrong
 */
export async function* readBackupFile(path: string, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const { header, headerLine, size } = await readHeader(path)
  if (header.encryption && passphrase === undefined) throw new BackupError('the backup needs its passphrase')
  const end = size - trailerBytes(header)
  if (end <= headerLine.length) throw new BackupError('the backup is cut off')
  const trailer = await readPart(path, end, trailerBytes(header))
  const unseal =
    header.encryption && passphrase !== undefined
      ? createDecipher(header.encryption, passphrase).setAAD(headerLine).setAuthTag(trailer)
      : verifying(createHash('sha256').update(headerLine), trailer)
  const output = new PassThrough()
  const reading = pipeline(
    createReadStream(path, { start: headerLine.length, end: end - 1 }),
    unseal,
    createGunzip(),
    output,
  )
  reading.catch(() => {})
  try {
    yield* output
    await reading
  } catch (error) {
    if (error instanceof BackupError) throw error
    const cause = header.encryption ? 'the passphrase is wrong, or the backup was changed' : 'the backup was changed'
    throw new BackupError(cause, { cause: error })
  }
}

function newEncryption() {
  const text = (bytes: number) => randomBytes(bytes).toString('base64')
  return { cipher: 'aes-256-gcm' as const, salt: text(16), iv: text(12) }
}

type Encryption = NonNullable<Header['encryption']>
const bytesOf = (text: string) => Buffer.from(text, 'base64')
const createCipher = ({ salt, iv }: Encryption, passphrase: string) =>
  createCipheriv('aes-256-gcm', deriveKey(passphrase, bytesOf(salt)), bytesOf(iv))
const createDecipher = ({ salt, iv }: Encryption, passphrase: string) =>
  createDecipheriv('aes-256-gcm', deriveKey(passphrase, bytesOf(salt)), bytesOf(iv))

/** Encrypts, and appends the tag. */
const sealing = (cipher: ReturnType<typeof createCipher>) =>
  new Transform({
    transform: (chunk, _, done) => done(null, cipher.update(chunk)),
    flush(done) {
      this.push(cipher.final())
      done(null, cipher.getAuthTag())
    },
  })

/** Passes on, and appends the hash. */
const hashing = (hash: ReturnType<typeof createHash>) =>
  new Transform({
    transform: (chunk, _, done) => done(null, hash.update(chunk) && chunk),
    flush: (done) => done(null, hash.digest()),
  })

/** Passes on, and fails at the end when the hash differs. */
const verifying = (hash: ReturnType<typeof createHash>, expected: Buffer) =>
  new Transform({
    transform: (chunk, _, done) => done(null, hash.update(chunk) && chunk),
    flush: (done) => done(hash.digest().equals(expected) ? null : new BackupError('the backup was changed')),
  })

async function readHeader(path: string) {
  const file = await open(path).catch(explainFile)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHeader), 0, longestHeader, 0)
    const headerLine = buffer.subarray(0, buffer.subarray(0, bytesRead).indexOf('\n') + 1)
    return { header: parseHeader(headerLine), headerLine, size }
  } finally {
    await file.close()
  }
}

function parseHeader(line: Buffer): Header {
  try {
    const header = JSON.parse(line.toString())
    if (header.format === 'vestibule-backup' && header.version === 1) return header
  } catch {}
  throw new BackupError('this is no backup of the portal')
}

async function readPart(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, position).finally(() => file.close())
  return buffer
}

function explainedFile(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    EEXIST: 'is there already',
    ENOENT: 'is not there',
    EACCES: 'this account may not use it',
    EISDIR: 'is a folder',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota is used up',
    EROFS: 'the disk is read-only',
  }
  const reason = reasons[code ?? '']
  return reason ? new BackupError(`${path ?? 'the file'}: ${reason}`, { cause: error }) : error
}

function explainFile(error: unknown): never {
  throw explainedFile(error)
}
