import Building2 from 'lucide-react/icons/building-complex'
import List from 'lucide-react/icons/list'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { useGo } from '#web/lib/palette/use-go.ts'
import { type Found, useSearch } from '#web/lib/palette/use-search.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'

/** Finds organisations by name or number, for users who read them all. */
export function useFound(text: string): Found {
  const { t } = useTranslation()
  const can = useCan()
  const go = useGo()
  return useSearch({
    label: t('organizations'),
    text,
    allowed: can('readOrganizations'),
    ask: (searchQuery) => query(organizations.list, { query: { searchQuery } }),
    toCommand: ({ organizationId, name, organizationNumber }) => ({
      id: `found ${organizationId}`,
      label: name,
      hint: organizationNumber ?? undefined,
      icon: Building2,
      run: () =>
        go({ to: '/organization-settings/$organizationId', params: { organizationId } }, '/organization-settings'),
    }),
    toAll: (searchQuery, count, hasMore) => ({
      id: 'all organizations',
      label: t(hasMore ? 'showAllOfMore' : 'showAllOrganizations', { count }),
      icon: List,
      run: () => go({ to: '/organization-settings', search: { searchQuery } }),
    }),
  })
}
