import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { query } from '#web/lib/requests/query.ts'
import { AddField } from './add-field.tsx'
import type { UserSchemaForm } from './person-fields.tsx'
import { useBelongings } from './use-belongings.ts'

interface AddOrganizationProps {
  form: UserSchemaForm
  names: Map<string, string>
}

/** Adds an organisation to a user; the server searches the organisations. */
export function AddOrganization({ form, names }: AddOrganizationProps) {
  const { t } = useTranslation()
  const [searchQuery, setSearchQuery] = useState('')
  const [, search] = useSearchText(searchQuery, setSearchQuery)
  const { data } = useQuery(query(organizations.list, { query: { searchQuery: searchQuery.slice(0, 200) } }))
  const { setRole } = useBelongings(form)
  const { id, label } = form.field('roles', t('addOrganization'))
  return (
    <AddField
      id={id}
      label={label}
      placeholder={t('addOrganizationPlaceholder')}
      emptyText={t('noOrganizationMatches')}
      options={(data?.items ?? []).map(({ organizationId, name, organizationNumber }) => ({
        value: organizationId,
        label: name,
        hint: organizationNumber ?? undefined,
      }))}
      added={(organizationId) => Boolean(form.form.getValues('roles')[organizationId])}
      addedMessage="organizationAlreadyAdded"
      onAdd={(option) => {
        names.set(option.value, option.label)
        setRole(option.value, 'regular')
      }}
      onSearch={search}
    />
  )
}
