import styles from './account.module.css'
import { AccountForm } from './account-form.tsx'
import { OwnLanguage } from './own-language.tsx'
import { OwnSessions } from './own-sessions.tsx'

export function AccountTab() {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <AccountForm />
      </div>
      <div className={styles.column}>
        <OwnLanguage />
        <OwnSessions />
      </div>
    </div>
  )
}
