import * as z from 'zod/mini'
import { withoutInvisibleEnds } from '#contract/fields/as-written.ts'
import { message, text } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'

/** The hues of an organisation's accent, in degrees: each tenth, without 20 to 40, which look like the colour of danger. */
export const brandHues: readonly number[] = Array.from({ length: 36 }, (_, step) => step * 10).filter(
  (hue) => hue < 20 || hue > 40,
)

/** Hues that look like the colour of success. */
export const isLikeSuccess = (hue: number): boolean => hue === 150 || hue === 160

/** Of an uploaded logo, in bytes. */
export const maxLogoBytes = 64 * 1024
/** Pixels on each side. */
export const logoSides = { least: 16, most: 1024 }
/** Width divided by height: it has to be readable in a box of six to one. */
export const logoRatio = { least: 0.5, most: 6 }

const uploaded = /^data:image\/(png|webp);base64,[A-Za-z0-9+/]+={0,2}$/
const address = /^\/brand\/[0-9a-f]{64}\.(png|webp)$/

/**
 * A logo: a PNG or WebP as a `data:` address, or the address under which it is served, which keeps it. Empty and null mean
 * none.
 */
const logo = z.nullable(
  z.pipe(
    z.string(message('invalidLogo')).check(
      z.maxLength('data:image/webp;base64,'.length + Math.ceil(maxLogoBytes / 3) * 4, {
        error: message('iconTooLarge'),
        abort: true,
      }),
      z.refine((value) => value === '' || address.test(value) || uploaded.test(value), {
        error: message('invalidLogo'),
      }),
    ),
    z.transform((value) => (value === '' ? null : value)),
  ),
)

const hue = z.nullable(
  z.int(message('invalidNumber')).check(z.refine((value) => brandHues.includes(value), message('outOfRange'))),
)

/** What an organisation shows its people. */
export const brandForm = z.strictObject({
  hue,
  logo,
  /** Where the page is dark; the other one without it. */
  darkLogo: logo,
})
export type BrandForm = z.infer<typeof brandForm>

export const brandLabels: FieldLabels<BrandForm> = { hue: 'brandHue', logo: 'logo', darkLogo: 'darkLogo' }

// A name whose last part is a number would be an IP address.
const hostPattern = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/** As browsers send it in `Host`; empty if it is none. */
function asciiHost(written: string): string {
  const bare = withoutInvisibleEnds(written)
    .replace(/^https?:\/\//i, '')
    .replace(/(?<![./])[./]+$/, '')
  if (bare === '') return ''
  const host = /[\s\p{C}/?#%:@\\]/u.test(bare) ? undefined : URL.parse(`http://${bare}`)?.hostname
  return host && hostPattern.test(host) ? host : '?'
}

/** A host name that leads to the sign-in of an organisation. */
export const signInHostForm = z.strictObject({
  signInHost: z.nullable(
    z.pipe(
      text(253).check(
        z.overwrite(asciiHost),
        z.refine((host) => host !== '?', message('invalidHost')),
      ),
      z.transform((host) => (host === '' ? null : host)),
    ),
  ),
})
export type SignInHostForm = z.infer<typeof signInHostForm>

export const signInHostLabels: FieldLabels<SignInHostForm> = { signInHost: 'signInHost' }
