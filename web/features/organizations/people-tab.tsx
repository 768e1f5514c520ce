import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'

const PeopleOfOrganization = lazy(async () => ({
  default: (await import('#web/features/users/users.tsx')).PeopleOfOrganization,
}))

/** The users of an organisation, loaded when they are asked for. */
export function PeopleTab({ organization }: { organization: { organizationId: string; name: string } }) {
  const { t } = useTranslation()
  return (
    <Suspense fallback={<TableSkeleton label={t('loading')} columns={['text', 'text', 'long', 'badge']} />}>
      <PeopleOfOrganization organization={organization} />
    </Suspense>
  )
}
