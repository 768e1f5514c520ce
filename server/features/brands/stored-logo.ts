import { createHash } from 'node:crypto'
import { logoRatio, logoSides, maxLogoBytes } from '#contract/brands/brand-form.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { Problem } from '#server/platform/problem.ts'
import { pngSize, rebuildPng } from '#server/platform/rebuild-png.ts'
import { rebuildWebp, type SizedImage } from '#server/platform/rebuild-webp.ts'

const limits = { maxBytes: maxLogoBytes, maxSide: logoSides.most }

/** What is stored of a logo: its address, and the image that it names. */
export interface StoredLogo {
  address: string | null
  image: Buffer | null
}

/**
 * Turns the logo of a form into what is stored. An uploaded image is written again and gets an address with its hash.
 *
 * @param present the logo so far: an address is accepted only from the organisation that has it
 * @returns undefined where it stays
 * @throws Problem 422 `invalidLogo`, or `logoProportions` for one that would not be readable
 */
export async function storedLogo(
  path: 'logo' | 'darkLogo',
  value: string | null | undefined,
  present: string | null,
): Promise<StoredLogo | undefined> {
  if (value === undefined || value === present) return undefined
  if (value === null) return { address: null, image: null }
  const [head = '', data = ''] = value.split(',')
  const type = /^data:image\/(png|webp);base64$/.exec(head)?.[1]
  const read = type && (await (type === 'png' ? readPng : readWebp)(Buffer.from(data, 'base64')))
  if (!read) throw refused(path, 'invalidLogo')
  const { bytes, width, height } = read
  const ratio = width / height
  if (Math.min(width, height) < logoSides.least || ratio < logoRatio.least || ratio > logoRatio.most)
    throw refused(path, 'logoProportions')
  return { address: `/brand/${createHash('sha256').update(bytes).digest('hex')}.${type}`, image: bytes }
}

async function readPng(file: Buffer): Promise<SizedImage | undefined> {
  const bytes = await rebuildPng(file, limits)
  return bytes && { bytes, ...pngSize(bytes) }
}

const readWebp = (file: Buffer) => rebuildWebp(file, limits)

const refused = (path: string, message: MessageKey) =>
  new Problem(422, 'validationFailed', { issues: [{ path, message }] })
