import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Group, groupForm } from '#contract/groups/groups.ts'
import { isCompany } from '#contract/login-methods.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { GroupServices } from './group-services.tsx'
import styles from './groups.module.css'

interface GroupFieldsProps {
  form: FormOf<typeof groupForm>
  organizationId: string
  /** Undefined for a new one. */
  group?: Group
}

/** What a group is called and gives, and its rule where the organisation has a sign-in that could answer it. */
export function GroupFields({ form, organizationId, group }: GroupFieldsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(Boolean(group?.ruleAttribute))
  const { data } = useQuery(query(organizations.read, { params: { id: organizationId } }))
  const hasRule = isCompany(data?.loginMethod) || Boolean(group?.ruleAttribute)
  const hasError = (['ruleAttribute', 'ruleValue'] as const).some((name) => form.field(name).error !== undefined)
  return (
    <>
      <Field {...form.field('name')}>
        <TextInput autoComplete="off" {...form.register('name')} />
      </Field>
      <Controller
        control={form.form.control}
        name="services"
        render={({ field: { value = [], onChange } }) => (
          <GroupServices
            organizationId={organizationId}
            given={value}
            onChange={onChange}
            errorOf={(index) => form.field(`services.${index}.validUntil`, '').error}
          />
        )}
      />
      {hasRule && (
        <details open={open || hasError} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('groupRule')}</summary>
          <div className={styles.below}>
            <p className={styles.quiet}>{t('groupRuleText')}</p>
            <Field {...form.field('ruleAttribute')} hint={t('ruleAttributeHint')} optionalText={t('optional')}>
              <TextInput
                autoComplete="off"
                spellCheck={false}
                autoCapitalize="off"
                {...form.register('ruleAttribute')}
              />
            </Field>
            <Field {...form.field('ruleValue')} optionalText={t('optional')}>
              <TextInput autoComplete="off" spellCheck={false} autoCapitalize="off" {...form.register('ruleValue')} />
            </Field>
          </div>
        </details>
      )}
    </>
  )
}
