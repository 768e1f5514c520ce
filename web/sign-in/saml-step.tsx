import { useEffect } from 'react'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { BackLink } from './back-link.tsx'
import type { PageData } from './page-data.tsx'
import { usePublicPage } from './public-page.tsx'

/** Leads on to the company's own sign-in. */
export const companyAddress = ({ uid, emailParameter }: PageData): string =>
  `/interaction/${uid}/saml?email=${emailParameter}`

/** On to the company's own sign-in, by itself; the link is for whoever comes back, and for a browser that stays. */
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
