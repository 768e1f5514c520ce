import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Icon } from '#web/ui/icon.tsx'
import styles from './back-link.module.css'
import { usePublicPage } from './public-page.tsx'

interface BackLinkProps {
  /** "Back" by default. */
  label?: string
  onLeave?: () => void
}

/** To the step before, with the address as it was typed. */
export function BackLink({ label, onLeave }: BackLinkProps) {
  const { t, data } = usePublicPage()
  return (
    <a href={`/interaction/${data.uid}?email=${data.emailParameter}`} className={styles.back} onClick={onLeave}>
      <Icon of={ArrowLeft} />
      {label ?? t('back')}
    </a>
  )
}
