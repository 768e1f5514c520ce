import type { LucideIcon } from 'lucide-react'
import styles from './badge.module.css'
import { Icon } from './icon.tsx'

interface BadgeProps {
  /** neutral: a service; accent: an admin role; warn: pending; danger: inactive; ok: done. */
  tone?: 'neutral' | 'accent' | 'warn' | 'danger' | 'ok' | undefined
  icon?: LucideIcon | undefined
  children: string
}

export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {icon && <Icon of={icon} />}
      <span className={styles.text}>{children}</span>
    </span>
  )
}

interface BadgeListProps {
  names: readonly string[]
  /** How many are shown before the rest becomes a number. */
  max?: number | undefined
  tone?: BadgeProps['tone']
  /** Says the hidden ones aloud: "and Lön, Arkiv". */
  moreLabel: (hidden: readonly string[]) => string
}

export function BadgeList({ names, max = 2, tone, moreLabel }: BadgeListProps) {
  const hidden = names.slice(max)
  return (
    <ul className={styles.list}>
      {names.slice(0, max).map((name) => (
        <li key={name}>
          <Badge tone={tone}>{name}</Badge>
        </li>
      ))}
      {hidden.length > 0 && (
        <li title={hidden.join('\n')}>
          <span className={styles.badge} data-tone="neutral" aria-hidden="true">
            +{hidden.length}
          </span>
          <span className="vh">{moreLabel(hidden)}</span>
        </li>
      )}
    </ul>
  )
}
