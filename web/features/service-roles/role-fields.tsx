import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type serviceRoleForm, serviceRoles } from '#contract/service-roles/service-roles.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { Checkbox, Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { useRoleTexts } from './role-texts.ts'
import styles from './service-roles.module.css'

interface RoleFieldsProps {
  form: FormOf<typeof serviceRoleForm>
  serviceId: string
  /** Undefined for a new one; the key of an old one stays. */
  roleKey?: string | undefined
}

const others = ['En', 'Fi', 'Fr'] as const

/** The fields of a role: what it is called, and its rules. */
export function RoleFields({ form, serviceId, roleKey }: RoleFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Field {...form.field('nameSv')}>
        <TextInput autoComplete="off" {...form.register('nameSv')} />
      </Field>
      <Field {...form.field('key')} hint={t('roleKeyHint')}>
        <TextInput
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          readOnly={roleKey !== undefined}
          {...form.register('key')}
        />
      </Field>
      <Field {...form.field('descriptionSv')} optionalText={t('optional')}>
        <TextArea rows={2} {...form.register('descriptionSv')} />
      </Field>
      <OtherLanguages form={form} />
      <FieldGroup legend={t('roleRules')}>
        <Switch
          id={form.field('needsTwoFactors').id}
          label={form.field('needsTwoFactors').label}
          hint={t('needsTwoFactorsHint')}
          {...form.register('needsTwoFactors')}
        />
        <Field {...form.field('maxPeople')} hint={t('maxPeopleHint')} optionalText={t('optional')}>
          <TextInput
            type="number"
            inputMode="numeric"
            min={1}
            {...form.register('maxPeople', {
              setValueAs: (typed) => (typed === '' || typed === null ? null : Number(typed)),
            })}
          />
        </Field>
      </FieldGroup>
      <Excluded form={form} serviceId={serviceId} roleKey={roleKey} />
    </>
  )
}

function OtherLanguages({ form }: Pick<RoleFieldsProps, 'form'>) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const names = others.flatMap((language) => [`name${language}`, `description${language}`] as const)
  const hasError = names.some((name) => form.field(name).error !== undefined)
  return (
    <details open={open || hasError} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('otherLanguages')}</summary>
      <div className={styles.more}>
        <p className={styles.quiet}>{t('otherLanguagesHint')}</p>
        {others.map((language) => (
          <div key={language} className={styles.choices}>
            <Field {...form.field(`name${language}`)} optionalText={t('optional')}>
              <TextInput autoComplete="off" {...form.register(`name${language}`)} />
            </Field>
            <Field {...form.field(`description${language}`)} optionalText={t('optional')}>
              <TextArea rows={2} {...form.register(`description${language}`)} />
            </Field>
          </div>
        ))}
      </div>
    </details>
  )
}

function Excluded({ form, serviceId, roleKey }: RoleFieldsProps) {
  const { t } = useTranslation()
  const textsOf = useRoleTexts()
  const { data = [] } = useQuery(query(serviceRoles.list, { query: { serviceId } }))
  const choices = data.filter(({ key }) => key !== roleKey)
  if (choices.length === 0) return null
  return (
    <Controller
      control={form.form.control}
      name="excludes"
      render={({ field: { value = [], onChange } }) => (
        <FieldGroup legend={t('roleExcludes')} hint={t('roleExcludesHint')}>
          {choices.map((role) => (
            <Checkbox
              key={role.roleId}
              label={textsOf(role).name}
              checked={value.includes(role.key)}
              onChange={(event) =>
                onChange(event.target.checked ? [...value, role.key] : value.filter((key: string) => key !== role.key))
              }
            />
          ))}
        </FieldGroup>
      )}
    />
  )
}
