import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'

const [pack, unpack] = [promisify(deflate), promisify(inflate)]

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
// Bits per pixel of each colour type are its channels times the bit depth (PNG specification, 11.2.2).
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** How large an image may be. */
export interface ImageLimits {
  maxBytes: number
  /** Pixels. */
  maxSide: number
}

/**
 * Encodes a PNG again from its pixels alone: texts, EXIF and everything after the image are left out. Memory is limited by
 * what the header says before anything is unpacked, so that a small file cannot fill it. The event loop stays free.
 *
 * @returns undefined when this is no PNG within the limits, before or after, or an interlaced one
 */
export async function rebuildPng(file: Buffer, { maxBytes, maxSide }: ImageLimits): Promise<Buffer | undefined> {
  if (file.length > maxBytes || !file.subarray(0, 8).equals(signature)) return undefined
  const chunks = readChunks(file)
  const header = chunks?.[0]
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13) return undefined
  const rows = rowLayout(header.data, maxSide)
  if (!rows) return undefined
  const pixels = await readPixels(Buffer.concat(dataOf(chunks, 'IDAT')), rows)
  if (!pixels) return undefined
  const kept = [header]
  const [palette] = dataOf(chunks, 'PLTE')
  if (header.data[9] === 3 && !isPalette(palette)) return undefined
  if (palette) kept.push({ type: 'PLTE', data: palette })
  const [transparency] = dataOf(chunks, 'tRNS')
  if (transparency && transparency.length <= 256) kept.push({ type: 'tRNS', data: transparency })
  kept.push({ type: 'IDAT', data: await pack(pixels) }, { type: 'IEND', data: Buffer.alloc(0) })
  const rebuilt = Buffer.concat([signature, ...kept.map(writeChunk)])
  return rebuilt.length > maxBytes ? undefined : rebuilt
}

interface Chunk {
  type: string
  data: Buffer
}

const isPalette = (data: Buffer | undefined) =>
  data !== undefined && data.length > 0 && data.length <= 768 && data.length % 3 === 0

const dataOf = (chunks: readonly Chunk[], wanted: string) =>
  chunks.filter(({ type }) => type === wanted).map(({ data }) => data)

/** Reads up to IEND; undefined for a broken length or checksum. */
function readChunks(file: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  let at = signature.length
  while (at + 12 <= file.length) {
    const end = at + 8 + file.readUInt32BE(at)
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return undefined
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return chunks
    chunks.push({ type, data: file.subarray(at + 8, end) })
    at = end + 4
  }
  return undefined
}

interface Rows {
  count: number
  /** Bytes, with the filter byte that each row begins with. */
  bytes: number
}

function rowLayout(header: Buffer, maxSide: number): Rows | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8)
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) return undefined
  if (!depths[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace !== 0) return undefined
  return { count: height, bytes: 1 + Math.ceil((width * depth * (channels[colour] ?? 0)) / 8) }
}

async function readPixels(packed: Buffer, { count, bytes }: Rows): Promise<Buffer | undefined> {
  try {
    const pixels = await unpack(packed, { maxOutputLength: count * bytes })
    if (pixels.length !== count * bytes) return undefined
    for (let row = 0; row < count; row++) if ((pixels[row * bytes] ?? 0) > 4) return undefined
    return pixels
  } catch {
    return undefined
  }
}

function writeChunk({ type, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** Width and height in pixels, of a PNG that was rebuilt. */
export const pngSize = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })
