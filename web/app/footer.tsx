import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { portal } from '#contract/portal/portal.ts'
import { query } from '#web/lib/requests/query.ts'
import { ContactFooter } from '#web/ui/frame/contact-footer.tsx'

/** Who runs the portal and how to reach them; nothing until that is known. */
export function Footer() {
  const { t } = useTranslation()
  const { data } = useQuery(query(portal.info))
  if (!data) return null
  return (
    <ContactFooter
      heading={data.companyName}
      text={t('contactUs')}
      email={{ text: data.supportEmail, address: data.supportEmail }}
      phone={data.supportPhone ? { text: data.supportPhone, number: data.supportPhone } : undefined}
      links={[
        { text: t('privacyTitle'), href: data.privacyUrl },
        { text: t('accessibilityTitle'), href: data.accessibilityUrl },
      ]}
    />
  )
}
