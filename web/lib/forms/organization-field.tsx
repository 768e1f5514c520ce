import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Organization, organizations } from '#contract/organizations/organizations.ts'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { query } from '#web/lib/requests/query.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

// Loaded on demand, as in the dialog of a user.
const Combobox = lazy(async () => ({ default: (await import('#web/ui/fields/combobox.tsx')).Combobox }))

interface OrganizationFieldProps {
  value: string | undefined
  onChoose: (value: string | undefined, organization?: Pick<Organization, 'organizationId' | 'name'>) => void
  /** In the empty field; by default it says that any organisation will do. */
  placeholder?: string
  error?: string | undefined
  optionalText?: string
  /** Why an organisation is listed but cannot be chosen. */
  unavailable?: (organization: Partial<Organization>) => string | undefined
}

/** Any organisation, found by a part of its name; for super users. */
export function OrganizationField({ value, onChoose, placeholder, unavailable, ...field }: OrganizationFieldProps) {
  const { t } = useTranslation()
  const [searchQuery, setSearchQuery] = useState('')
  const [, search] = useSearchText(searchQuery, setSearchQuery)
  const found = useQuery(query(organizations.list, { query: { searchQuery: searchQuery.slice(0, 200) } }))
  const chosen = useQuery({ ...query(organizations.read, { params: { id: value ?? '' } }), enabled: Boolean(value) })
  const known: Organization[] = [...(value && chosen.data ? [chosen.data] : []), ...(found.data?.items ?? [])]
  const options = [...new Map(known.map((one) => [one.organizationId, one])).values()]
  return (
    <Field label={t('organization')} {...field}>
      <Suspense fallback={<Skeleton shape="control" />}>
        <Combobox
          options={options.map((one) => ({
            value: one.organizationId,
            label: one.name,
            unavailable: unavailable?.(one),
          }))}
          value={value ?? null}
          onChange={(next) =>
            onChoose(
              next ?? undefined,
              options.find(({ organizationId }) => organizationId === next),
            )
          }
          onSearch={search}
          placeholder={placeholder ?? t('filterAny')}
          emptyText={t('noOrganizationMatches')}
          clearLabel={t('clearChoice')}
          openLabel={t('showChoices')}
        />
      </Suspense>
    </Field>
  )
}
