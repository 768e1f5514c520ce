import * as z from 'zod/mini'
import { message } from '#contract/fields/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

/** The glyphs that a service may have instead of an uploaded image, in the order of the form. */
export const serviceGlyphs = [
  'heart-pulse',
  'stethoscope',
  'calendar-days',
  'clock',
  'banknote',
  'chart-column',
  'archive',
  'file-text',
  'clipboard-list',
  'mail',
  'message-circle',
  'users',
  'graduation-cap',
  'map',
  'wrench',
  'globe',
] as const
export type ServiceGlyph = (typeof serviceGlyphs)[number]

/** What each glyph shows. */
export const glyphLabels: Readonly<Record<ServiceGlyph, MessageKey>> = {
  'heart-pulse': 'glyphHeartPulse',
  stethoscope: 'glyphStethoscope',
  'calendar-days': 'glyphCalendarDays',
  clock: 'glyphClock',
  banknote: 'glyphBanknote',
  'chart-column': 'glyphChartColumn',
  archive: 'glyphArchive',
  'file-text': 'glyphFileText',
  'clipboard-list': 'glyphClipboardList',
  mail: 'glyphMail',
  'message-circle': 'glyphMessageCircle',
  users: 'glyphUsers',
  'graduation-cap': 'glyphGraduationCap',
  map: 'glyphMap',
  wrench: 'glyphWrench',
  globe: 'glyphGlobe',
}

/** An uploaded PNG, in bytes. */
export const maxIconBytes = 64 * 1024
/** The start of an uploaded image; its base64 text follows. */
export const pngDataPrefix = 'data:image/png;base64,'
const uploaded = /^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/
const address = /^\/service-icons\/[0-9a-f]{64}\.png$/
const isGlyph = (icon: string) => (serviceGlyphs as readonly string[]).includes(icon)

/**
 * The icon of a service: a glyph's name, a PNG as a `data:` address, or the address under which an uploaded PNG is served,
 * which keeps it. Empty and null mean none: the launcher shows the first letters of the name.
 */
export const serviceIcon = z.nullable(
  z.pipe(
    z.string(message('invalidIcon')).check(
      z.maxLength(pngDataPrefix.length + Math.ceil(maxIconBytes / 3) * 4, {
        error: message('iconTooLarge'),
        abort: true,
      }),
      z.refine((icon) => icon === '' || isGlyph(icon) || address.test(icon) || uploaded.test(icon), {
        error: message('invalidIcon'),
      }),
    ),
    z.transform((icon) => (icon === '' ? null : icon)),
  ),
)

export const serviceIcons = {
  read: route('GET /service-icons/{file}', {
    summary: "A service's uploaded icon; its address changes with the image",
    access: 'signedIn',
    params: z.strictObject({ file: z.string().check(z.regex(/^[0-9a-f]{64}\.png$/, message('notFound'))) }),
    answer: 'png',
  }),
}
