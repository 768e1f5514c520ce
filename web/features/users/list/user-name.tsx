import { useTranslation } from 'react-i18next'
import type { UserSummary } from '#contract/users/user-summary.ts'
import styles from '../users.module.css'

/**
 * The first name; on small screens and for screen readers with the last name. Invited users without a name are
 * identified by the email address.
 */
export function UserName({ user: { firstName, lastName, email } }: { user: UserSummary }) {
  const { t } = useTranslation()
  if (!firstName && !lastName)
    return (
      <>
        <span className={styles.nameless}>{t('noNameYet')}</span>
        <span className="vh"> {email}</span>
      </>
    )
  return (
    <>
      {firstName || lastName}
      {firstName && lastName && <span className="vh-wide"> {lastName}</span>}
    </>
  )
}
