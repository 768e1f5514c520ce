import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { serviceRoles } from '#contract/service-roles/service-roles.ts'
import { query } from '#web/lib/requests/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import styles from './service-roles.module.css'

const RolesLink = createLink(LinkButton)

/** In the dialog of a service: how many roles it declares, and the way to them. */
export function RolesSummary({ serviceId }: { serviceId: string }) {
  const { t } = useTranslation()
  const { data } = useQuery(query(serviceRoles.list, { query: { serviceId } }))
  return (
    <p className={styles.summary}>
      <span>{data && (data.length > 0 ? t('serviceRolesCount', { count: data.length }) : t('serviceRolesNone'))}</span>
      <RolesLink to="/services/$serviceId/roles" params={{ serviceId }} size="small">
        {t('openServiceRoles')}
      </RolesLink>
    </p>
  )
}
