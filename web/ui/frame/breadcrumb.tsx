import ChevronRight from 'lucide-react/icons/chevron-right'
import { Children, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './breadcrumb.module.css'

interface BreadcrumbProps {
  label: string
  /** Links from the top down; the last one is the page itself, as text or with `aria-current="page"`. */
  children: ReactNode
}

export function Breadcrumb({ label, children }: BreadcrumbProps) {
  return (
    <nav aria-label={label} className={styles.place}>
      <ol className={styles.trail}>
        {Children.toArray(children).map((child, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step of the trail is its place
          <li key={index} className={styles.step}>
            {index > 0 && <Icon of={ChevronRight} />}
            {child}
          </li>
        ))}
      </ol>
    </nav>
  )
}
