import { useTranslation } from 'react-i18next'
import { OrganizationField } from '#web/lib/forms/organization-field.tsx'
import styles from '../saml-configs.module.css'

export interface ForWhom {
  organizationId: string
  name: string
}

interface ForOrganizationProps {
  value: ForWhom | undefined
  onChoose: (organization: ForWhom | undefined) => void
}

/** For which organisation a new configuration is prepared. One that has a configuration keeps it. */
export function ForOrganization({ value, onChoose }: ForOrganizationProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.forOrganization}>
      <OrganizationField
        value={value?.organizationId}
        onChoose={(_, organization) => onChoose(organization)}
        placeholder=""
        optionalText={t('optional')}
        unavailable={({ samlConfigId }) => (samlConfigId ? t('organizationHasConfig') : undefined)}
      />
      <p className={styles.quiet}>{t('samlForOrganizationHint')}</p>
    </div>
  )
}
