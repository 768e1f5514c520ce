import { OwnFactors } from '#web/features/factors/factors.tsx'
import styles from './account.module.css'
import { AccountForm } from './account-form.tsx'
import { OwnData } from './own-data.tsx'
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
        <OwnFactors />
        <OwnSessions />
        <OwnData />
      </div>
    </div>
  )
}
