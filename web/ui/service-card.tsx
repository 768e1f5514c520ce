import type { ComponentProps } from 'react'
import styles from './service-card.module.css'

interface ServiceCardProps extends ComponentProps<'a'> {
  name: string
  /** Where the link leads, in short: the host. */
  host: string
}

/** One service of the launcher. The link is the name and covers the whole card. */
export function ServiceCard({ name, host, ...rest }: ServiceCardProps) {
  return (
    <div className={styles.card}>
      <span className={styles.tile} aria-hidden="true">
        {monogram(name)}
      </span>
      <div className={styles.text}>
        <a {...rest} className={styles.name}>
          {name}
        </a>
        <span className={styles.host}>{host}</span>
      </div>
    </div>
  )
}

export function ServiceGrid({ label, children }: Pick<ComponentProps<'ul'>, 'children'> & { label: string }) {
  return (
    <ul className={styles.grid} aria-label={label}>
      {children}
    </ul>
  )
}

/** The first letters of the first two words, or the first two letters of the only one. */
function monogram(name: string) {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2)
  const [initial = '', follower = ''] = letters
  return second ? (initial + follower).toLocaleUpperCase() : initial.toLocaleUpperCase() + follower
}
