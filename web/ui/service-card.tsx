import Star from 'lucide-react/icons/star'
import type { ComponentProps, ReactNode } from 'react'
import styles from './service-card.module.css'
import { ServiceIcon } from './service-icon.tsx'

interface ServiceCardProps extends ComponentProps<'a'> {
  name: string
  icon?: string | null | undefined
  /** What the service is. */
  text: string | null
  /** Where it is: its host. */
  host: string
  /** Until when the reader has it. */
  ends?: string | null
  /** At the end of the card, above its link. */
  action?: ReactNode
}

/** One service of the launcher. The link is the name and covers the whole card. */
export function ServiceCard({ name, icon, text, host, ends, action, ...rest }: ServiceCardProps) {
  return (
    <div className={styles.card}>
      <ServiceIcon name={name} icon={icon} />
      <div className={styles.text}>
        <a {...rest} data-card-link="" className={styles.name}>
          {name}
        </a>
        {text && <span className={styles.about}>{text}</span>}
        <span className={styles.host}>{ends ? `${ends} · ${host}` : host}</span>
      </div>
      {action}
    </div>
  )
}

interface RequestCardProps {
  name: string
  icon?: string | null | undefined
  text: string | null
  /** Why an earlier request was refused. */
  problem?: string | null | undefined
  action: ReactNode
}

/** A service that the reader cannot open yet: dimmed, with a way to ask for it. */
export function RequestCard({ name, icon, text, problem, action }: RequestCardProps) {
  return (
    <div className={styles.card} data-dimmed="">
      <ServiceIcon name={name} icon={icon} />
      <div className={styles.text}>
        <span className={styles.name}>{name}</span>
        {(problem || text) && (
          <span className={styles.about} data-problem={problem ? '' : undefined}>
            {problem || text}
          </span>
        )}
        <div className={styles.action}>{action}</div>
      </div>
    </div>
  )
}

interface StarButtonProps extends ComponentProps<'button'> {
  label: string
  pressed: boolean
}

/** Makes a service a favourite. Where there is a pointer, it shows on the card under it. */
export function StarButton({ label, pressed, ...rest }: StarButtonProps) {
  return (
    <button type="button" {...rest} aria-label={label} aria-pressed={pressed} title={label} className={styles.star}>
      <Star size={20} strokeWidth={1.75} aria-hidden="true" focusable="false" />
    </button>
  )
}

interface ServiceGridProps extends Pick<ComponentProps<'ul'>, 'children'> {
  label: string
  view?: 'cards' | 'list' | undefined
}

export function ServiceGrid({ label, view = 'cards', children }: ServiceGridProps) {
  return (
    <ul className={styles.grid} data-view={view} aria-label={label}>
      {children}
    </ul>
  )
}
