import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'

/** Writes lines, compressed, to a new file that nobody else may read; they are on the disk when this returns. */
export async function writeColdFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    // An error of the lines comes out here as well.
    for await (const chunk of pipeline(Readable.from(lines), createGzip(), () => {})) await file.appendFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Gives a file its name, so that it has it after a power failure, too. What has this name is never replaced. */
export async function keepColdFile(part: string, path: string): Promise<void> {
  await link(part, path)
  const folder = await open(dirname(path))
  await folder.sync().finally(() => folder.close())
}

/** A file while it is read. */
export interface ColdReading {
  lines: AsyncIterable<string>
  /** Of the file, in hex; once all lines are read. */
  sha256(): string
}

/** Reads what `writeColdFile` has written. */
export function readColdFile(path: string): ColdReading {
  const digest = createHash('sha256')
  async function* bytes() {
    for await (const chunk of createReadStream(path)) {
      digest.update(chunk)
      yield chunk
    }
  }
  // Its errors come out where the lines are read.
  const text = pipeline(Readable.from(bytes()), createGunzip(), () => {})
  return { lines: linesOf(text), sha256: () => digest.digest('hex') }
}

/** Of line feeds alone: a text may hold other characters that end a line elsewhere. */
async function* linesOf(text: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest + decoder.decode() !== '') throw new Error('the last line is not whole')
}
