import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { noticeForm } from '#contract/notices/notices.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'

/** A notice begins today, unless somebody says otherwise. */
export const newNotice = () => ({
  message: '',
  organizationId: '',
  startsOn: new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' }).format(new Date()),
  endsOn: '',
})

export function NoticeFields({ form }: { form: FormOf<typeof noticeForm> }) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(query(organizations.plainList, { query: { sort: 'name', sortDirection: 'asc' } }))
  return (
    <>
      <Field {...form.field('message')} hint={t('noticeTextHint')}>
        <TextArea rows={4} {...form.register('message')} />
      </Field>
      <Field {...form.field('organizationId')}>
        {/* The options come after the value: without a new key the browser would keep showing the first. */}
        <Select key={data.length} {...form.register('organizationId')}>
          <option value="">{t('noticeForAll')}</option>
          {data.map(({ organizationId, name }) => (
            <option key={organizationId} value={organizationId}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <FormGrid columns>
        <Field {...form.field('startsOn')}>
          <TextInput type="date" {...form.register('startsOn')} />
        </Field>
        <Field {...form.field('endsOn')} optionalText={t('optional')}>
          <TextInput type="date" {...form.register('endsOn')} />
        </Field>
      </FormGrid>
    </>
  )
}
