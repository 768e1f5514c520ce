import type { CSSProperties } from 'react'
import { glyphs } from './service-glyphs.ts'
import styles from './service-icon.module.css'

/** The sign of a service: its image, its glyph, or the first letters of its name. Decorative: the name stands beside it. */
export function ServiceIcon({ name, icon }: { name: string; icon?: string | null | undefined }) {
  const Glyph = icon ? glyphs[icon] : undefined
  const image = icon && /[:/]/.test(icon) ? icon : undefined
  return (
    <span
      className={styles.tile}
      data-brand=""
      // The hue depends on the name, so that users recognise a service.
      style={{ '--brand-h': hueOf(name) } as CSSProperties}
      data-image={image ? '' : undefined}
      aria-hidden="true"
    >
      {image ? (
        <img src={image} alt="" className={styles.image} />
      ) : Glyph ? (
        <Glyph className={styles.glyph} strokeWidth={1.75} focusable="false" />
      ) : (
        // Written by the style, so that the letters are not copied together with the name.
        <span data-letters={monogram(name)} className={styles.letters} />
      )}
    </span>
  )
}

/** The first letters of the first two words, or the first two letters of the only one. */
function monogram(name: string) {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2)
  const [initial = '', follower = ''] = letters
  return second ? (initial + follower).toLocaleUpperCase() : initial.toLocaleUpperCase() + follower
}

// Twelve distinguishable hues; the contrast of a tile is checked for each of them.
const hues = 12

/** The same name always has the same hue. */
function hueOf(name: string): number {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 10_007
  return (sum % hues) * (360 / hues)
}
