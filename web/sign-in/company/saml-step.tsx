import { useEffect } from 'react'
import { LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { BackLink } from '../frame/back-link.tsx'
import type { PageData } from '../frame/page-data.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/** Leads on to the company's own sign-in. */
export const companyAddress = ({ uid, emailParameter }: PageData): string =>
  `/interaction/${uid}/saml?email=${emailParameter}`

/** Redirects to the company's own sign-in; the link is for someone who comes back, and for a browser that stays. */
export function SamlStep() {
  const { t, title, data } = usePublicPage()
  const address = companyAddress(data)
  // In place of this page: Back leads to the address, and not here, where it would go on again.
  useEffect(() => location.replace(address), [address])
  return (
    <AuthCard title={title} intro={<p role="status">{t('openingSignInService')}</p>}>
      <LinkButton href={address} variant="primary" full>
        {t('openSignInService')}
      </LinkButton>
      <BackLink />
    </AuthCard>
  )
}
