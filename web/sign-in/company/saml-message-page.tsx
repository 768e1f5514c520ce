import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { ShowIf } from '../frame/page-data.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/** A message to an identity provider that takes no redirects. It posts itself, and has a button for browsers without script. */
export function SamlMessagePage() {
  const { t, title, data } = usePublicPage()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <AuthCard title={title} intro={<p role="status">{t('samlMessageText')}</p>}>
      <form ref={form} method="post" action={data.postTo}>
        <ShowIf data={data} name="samlRequest">
          <input type="hidden" name="SAMLRequest" value={data.samlRequest} />
        </ShowIf>
        <ShowIf data={data} name="samlResponse">
          <input type="hidden" name="SAMLResponse" value={data.samlResponse} />
        </ShowIf>
        <ShowIf data={data} name="relayState">
          <input type="hidden" name="RelayState" value={data.relayState} />
        </ShowIf>
        <Button type="submit" variant="primary" full>
          {t('continue')}
        </Button>
      </form>
    </AuthCard>
  )
}
