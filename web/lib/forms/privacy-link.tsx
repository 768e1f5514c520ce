import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { portal } from '#contract/portal/portal.ts'
import { query } from '#web/lib/requests/query.ts'

/** Stands where names or numbers are asked for. In a tab of its own, so that nothing typed is lost. */
export function PrivacyLink() {
  const { t } = useTranslation()
  const { data } = useQuery(query(portal.info))
  return (
    <p>
      <a href={data?.privacyUrl ?? '/privacy'} target="_blank" rel="noreferrer">
        {t('privacyHow')}
      </a>
    </p>
  )
}
