import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { ShowIf } from '../frame/page-data.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/**
 * A form, because a link must not sign anybody out. It posts itself where the person wanted it so, and has a button for
 * whom another site has led here, and for browsers without script.
 */
export function LogoutPage() {
  const { t, title, data } = usePublicPage()
  const [leaving, leave] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (data.ask) return
    leave(true)
    form.current?.submit()
  }, [data.ask])
  return (
    <AuthCard
      title={title}
      intro={
        <p role="status">
          {leaving ? (
            t('signingOut')
          ) : (
            <ShowIf data={data} name="ask">
              {t('signOutQuestion')}
            </ShowIf>
          )}
        </p>
      }
    >
      <form ref={form} method="post" action="/logout">
        <Button type="submit" variant="primary" full>
          {t('signOut')}
        </Button>
      </form>
    </AuthCard>
  )
}
