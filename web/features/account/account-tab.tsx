import { AccountForm } from './account-form.tsx'
import { OwnLanguage } from './own-language.tsx'
import { OwnSessions } from './own-sessions.tsx'

export function AccountTab() {
  return (
    <>
      <AccountForm />
      <OwnLanguage />
      <OwnSessions />
    </>
  )
}
