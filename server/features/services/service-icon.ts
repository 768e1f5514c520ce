import { createHash } from 'node:crypto'
import { maxIconBytes, pngDataPrefix, type serviceIcons } from '#contract/services/service-icons.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { rebuildPng } from '#server/platform/rebuild-png.ts'
import { findIcon } from './services.repository.ts'

const limits = { maxBytes: maxIconBytes, maxSide: 512 }

/** What is stored of an icon; `iconPng` is null for a glyph, and missing when the service keeps its image. */
interface StoredIcon {
  icon?: string | null
  iconPng?: Buffer | null
}

/**
 * Turns the icon of a form into what is stored. An uploaded image is encoded again and gets an address with its hash.
 *
 * @param present the service's icon so far: an address is accepted only from the service that has it
 * @throws Problem 422 `invalidIcon`
 */
export async function storedIcon(icon: string | null | undefined, present: string | null): Promise<StoredIcon> {
  if (icon === undefined || icon === present) return {}
  if (icon === null || !/[:/]/.test(icon)) return { icon, iconPng: null }
  const png =
    icon.startsWith(pngDataPrefix) &&
    (await rebuildPng(Buffer.from(icon.slice(pngDataPrefix.length), 'base64'), limits))
  if (!png) throw new Problem(422, 'validationFailed', { issues: [{ path: 'icon', message: 'invalidIcon' }] })
  const address = `/service-icons/${createHash('sha256').update(png).digest('hex')}.png`
  return address === present ? {} : { icon: address, iconPng: png }
}

export const serviceIconsHandlers: Handlers<typeof serviceIcons> = {
  read: async ({ db, params }) => found(await findIcon(db, `/service-icons/${params.file}`)),
}
