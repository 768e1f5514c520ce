import { LinkButton } from '#web/ui/button.tsx'
import { companyAddress } from '../company/saml-step.tsx'
import { usePublicPage } from '../frame/public-page.tsx'

/**
 * What can be done where nobody finds out how an address signs in: the form is for passwords alone. Each is a line of the
 * card by itself. It stands in the prerendered page, and no script brings it along.
 */
export const WithoutScript = () => (
  <>
    <noscript>{import.meta.env.SSR && <Explanation />}</noscript>
    <noscript>{import.meta.env.SSR && <WayToCompany />}</noscript>
  </>
)

function Explanation() {
  const { t } = usePublicPage()
  return <p>{t('signInWithoutScript')}</p>
}

function WayToCompany() {
  const { t, data } = usePublicPage()
  return (
    <LinkButton href={companyAddress(data)} full>
      {t('openSignInService')}
    </LinkButton>
  )
}
