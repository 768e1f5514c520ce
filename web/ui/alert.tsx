import type { LucideIcon } from 'lucide-react'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import type { ComponentProps, ReactNode } from 'react'
import styles from './alert.module.css'
import { Icon } from './icon.tsx'

export type AlertTone = 'danger' | 'warn' | 'ok' | 'info'

interface AlertProps extends Omit<ComponentProps<'div'>, 'title'> {
  tone: AlertTone
  title?: ReactNode
  /** `alert` interrupts, `status` waits for a pause. Leave it out for what stood there from the start. */
  live?: 'alert' | 'status' | undefined
  action?: ReactNode
}

const icons: Record<AlertTone, LucideIcon> = { danger: CircleAlert, warn: TriangleAlert, ok: CircleCheck, info: Info }

export function Alert({ tone, title, live, action, children, ...rest }: AlertProps) {
  return (
    <div role={live} {...rest} className={styles.alert} data-tone={tone}>
      <Icon of={icons[tone]} size={20} />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={styles.text}>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </div>
  )
}
