import type { ImageLimits } from './rebuild-png.ts'

interface Chunk {
  type: string
  data: Buffer
}

/** An image of known size. */
export interface SizedImage {
  bytes: Buffer
  /** Pixels. */
  width: number
  height: number
}

/**
 * Writes a WebP again from its picture alone: EXIF, XMP, colour profile and everything after the image are left out. Nothing is
 * unpacked: the size stands in the header of the picture (RFC 9649, 2.5 and 3.4).
 *
 * @returns undefined when this is no WebP within the limits, or an animated one
 */
export function rebuildWebp(file: Buffer, { maxBytes, maxSide }: ImageLimits): SizedImage | undefined {
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP'
  if (file.length > maxBytes || !isWebp) return undefined
  const chunks = readChunks(file.subarray(12, Math.min(file.length, 8 + file.readUInt32LE(4))))
  const picture = chunks?.find(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const size = picture && sizeOf(picture)
  if (!chunks || !picture || !size || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return undefined
  const { width, height } = size
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) return undefined
  const alpha = picture.type === 'VP8 ' ? chunks.find(({ type }) => type === 'ALPH') : undefined
  const kept = [...(alpha ? [extended(width, height), alpha] : []), picture].map(writeChunk)
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return { bytes: Buffer.concat([head, body]), width, height }
}

/** @returns undefined for a broken length */
function readChunks(body: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = 0; at < body.length; ) {
    if (at + 8 > body.length) return undefined
    const end = at + 8 + body.readUInt32LE(at + 4)
    if (end > body.length) return undefined
    chunks.push({ type: body.toString('latin1', at, at + 4), data: body.subarray(at + 8, end) })
    // Each begins at an even place.
    at = end + (end % 2)
  }
  return chunks
}

function sizeOf({ type, data }: Chunk): { width: number; height: number } | undefined {
  if (data.length < 10) return undefined
  if (type === 'VP8L') {
    const bits = data.readUInt32LE(1)
    return data[0] === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : undefined
  }
  // A key frame has an even first byte and this start code.
  const isKeyFrame = ((data[0] ?? 1) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a
  return isKeyFrame ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } : undefined
}

/** The header of a picture with transparency beside it. */
function extended(width: number, height: number): Chunk {
  const data = Buffer.alloc(10)
  data[0] = 0x10
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

function writeChunk({ type, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2))
  chunk.write(type, 0, 'latin1')
  chunk.writeUInt32LE(data.length, 4)
  data.copy(chunk, 8)
  return chunk
}
