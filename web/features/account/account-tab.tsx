import { Suspense } from 'react'
import { OwnFactors } from '#web/features/factors/factors.tsx'
import { OwnPasskeys } from '#web/features/passkeys/passkeys.ts'
import styles from './account.module.css'
import { AccountForm } from './account-form.tsx'
import { OwnData } from './own-data.tsx'
import { OwnLanguage } from './own-language.tsx'
import { OwnRecovery } from './own-recovery.tsx'
import { OwnRoles } from './own-roles.tsx'
import { OwnSessions } from './own-sessions.tsx'

export function AccountTab() {
  return (
    <div className={styles.column}>
      {/* First on a phone, too: the person may have to stop it. */}
      <OwnRecovery />
      <div className={styles.columns}>
        <div className={styles.column}>
          <AccountForm />
        </div>
        <div className={styles.column}>
          <OwnLanguage />
          <OwnRoles />
          <OwnSessions />
          <OwnData />
          <OwnFactors />
          <Suspense>
            <OwnPasskeys />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
