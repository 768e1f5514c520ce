import type { LucideIcon } from 'lucide-react'

/** A decorative sign beside a text; the text carries the meaning, so it is never read out. */
export function Icon({ of: Shape, size = 16 }: { of: LucideIcon; size?: 16 | 20 | 40 }) {
  // In rem, so that it grows with the text.
  return <Shape size={`${size / 16}rem`} strokeWidth={size === 40 ? 1.25 : 1.75} aria-hidden="true" focusable="false" />
}
