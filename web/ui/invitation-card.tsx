import type { LucideIcon } from 'lucide-react'
import Mail from 'lucide-react/icons/mail'
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import styles from './invitation-card.module.css'

interface InvitationCardProps {
  /** An envelope, unless it is something else that waits. */
  icon?: LucideIcon | undefined
  title: string
  /** From whom, until when: short, one after the other. */
  facts: readonly string[]
  /** The inviter's own words, as they were typed. */
  message?: string | null
  /** Yes and no. They are read out with the title where they get its id as their description. */
  actions: (titleId: string) => ReactNode
}

/** An invitation that waits for an answer. */
export function InvitationCard({ icon = Mail, title, facts, message, actions }: InvitationCardProps) {
  const titleId = useId()
  return (
    <article className={styles.card} aria-labelledby={titleId}>
      <span className={styles.tile}>
        <Icon of={icon} size={20} />
      </span>
      <div className={styles.text}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <p className={styles.facts}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {message && <blockquote className={styles.message}>{message}</blockquote>}
      </div>
      <div className={styles.actions}>{actions(titleId)}</div>
    </article>
  )
}
