import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notices } from '#contract/notices/notices.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import styles from './launcher.module.css'

/** What the operator has to say today, to everyone or to the chosen organisation. */
export function Notices() {
  const { t } = useTranslation()
  const { id } = useCurrentOrganization()
  const { data = [] } = useQuery(query(notices.current))
  const shown = data.filter(({ organizationId }) => organizationId === null || organizationId === id)
  if (shown.length === 0) return null
  return (
    <ul className={styles.notices} aria-label={t('notices')}>
      {shown.map(({ noticeId, message }) => (
        <li key={noticeId}>
          <Alert tone="info">
            <p className={styles.notice}>{message}</p>
          </Alert>
        </li>
      ))}
    </ul>
  )
}
