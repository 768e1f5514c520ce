import { useQuery } from '@tanstack/react-query'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import { useTranslation } from 'react-i18next'
import { portal } from '#contract/portal.ts'
import { query } from '#web/lib/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

/** No services yet: shows the user whom to contact. */
export function NoServices() {
  const { t } = useTranslation()
  const { data } = useQuery(query(portal.info))
  return (
    <EmptyState
      icon={LayoutGrid}
      action={data && <LinkButton href={`mailto:${data.supportEmail}`}>{data.supportEmail}</LinkButton>}
    >
      {t('noServices')}
    </EmptyState>
  )
}
