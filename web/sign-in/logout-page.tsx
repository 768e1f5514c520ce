import { useEffect, useRef } from 'react'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'

/** A form, because a link must not sign anybody out; it posts itself, and has a button for browsers without script. */
export function LogoutPage() {
  const { t, title } = usePublicPage()
  const form = useRef<HTMLFormElement>(null)
  useWindowTitle()
  useEffect(() => form.current?.submit(), [])
  return (
    <AuthCard title={title} intro={<p role="status">{t('signingOut')}</p>}>
      <form ref={form} method="post" action="/logout">
        <Button type="submit" variant="primary" full>
          {t('signOut')}
        </Button>
      </form>
    </AuthCard>
  )
}
