import { useTranslation } from 'react-i18next'
import type { UserSummary } from '#contract/users.ts'
import styles from './users.module.css'

/**
 * The first name, as its column shows it; read aloud, and on small screens shown, with the last name. Whoever was
 * invited and has not said their name yet is told apart by the address.
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
      {firstName && lastName && <span className={styles.lastName}> {lastName}</span>}
    </>
  )
}
