import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface Picture {
  width: number
  height: number
  /** 0 to 255. */
  grey?: number
  /** Chunks after the header. */
  between?: readonly [type: string, data: Buffer][]
}

/** A PNG in one shade of grey. */
export function pngImage({ width, height, grey = 128, between = [] }: Picture): Buffer {
  const row = Buffer.alloc(1 + width, grey)
  // No filter.
  row[0] = 0
  return writePng({ width, height, between }, [8, 0], Buffer.concat(Array.from({ length: height }, () => row)))
}

/** A PNG of few bytes and many pixels, of 16 bits in four channels, which is much work to pack. */
export function heavyPng(): Buffer {
  const side = 1024
  const pixels = Buffer.alloc(side * (1 + side * 8))
  let random = 1
  for (let dot = 0; dot < pixels.length / 700; dot++) {
    random = (random * 1_664_525 + 1_013_904_223) % 2 ** 32
    const at = random % pixels.length
    // The first byte of a row is its filter.
    if (at % (1 + side * 8) > 0) pixels[at] = dot % 251
  }
  return writePng({ width: side, height: side }, [16, 6], pixels)
}

function writePng(
  { width, height, between = [] }: Picture,
  [depth, colours]: [number, number],
  pixels: Buffer,
): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, colours, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...between.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A lossless WebP; of the picture only the size is right. */
export function webpImage({
  width,
  height,
  more = [],
}: Picture & { more?: readonly [type: string, data: Buffer][] }): Buffer {
  const picture = Buffer.alloc(12)
  picture[0] = 0x2f
  picture.writeUInt32LE(((height - 1) << 14) | (width - 1), 1)
  const chunks = [...more, ['VP8L', picture] as const].map(([type, data]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)])
  })
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, body])
}

/** An image as a form sends it. */
export const asUpload = (image: Buffer): string =>
  `data:image/${image.toString('latin1', 0, 4) === 'RIFF' ? 'webp' : 'png'};base64,${image.toString('base64')}`
