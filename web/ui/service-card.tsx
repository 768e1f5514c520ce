import type { ComponentProps } from 'react'
import styles from './service-card.module.css'
import { ServiceIcon } from './service-icon.tsx'

interface ServiceCardProps extends ComponentProps<'a'> {
  name: string
  /** Where the link leads, in short: the host. */
  host: string
}

/** One service of the launcher. The link is the name and covers the whole card. */
export function ServiceCard({ name, host, ...rest }: ServiceCardProps) {
  return (
    <div className={styles.card}>
      <ServiceIcon name={name} />
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
