import { useTranslation } from 'react-i18next'
import type { OrganizationBrand } from '#contract/brands/brands.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

/** The addresses that show the brand to people who have not signed in yet. */
export function SignInAddresses({ brand: { signInLink, signInHost } }: { brand: OrganizationBrand }) {
  const { t } = useTranslation()
  const canSetHost = useCan()('manageOrganizations')
  const { protocol, port } = new URL(signInLink)
  const copy = { copyLabel: t('copyLink'), copiedLabel: t('copied') }
  return (
    <>
      <CopyField label={t('signInLink')} hint={t('signInLinkText')} value={signInLink} {...copy} />
      {signInHost && !canSetHost && (
        <CopyField
          label={t('signInHost')}
          hint={t('signInHostLeads')}
          value={`${protocol}//${signInHost}${port && `:${port}`}/`}
          {...copy}
        />
      )}
    </>
  )
}
