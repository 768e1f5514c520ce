import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isCompany } from '#contract/login-methods.ts'
import { asNumber } from '#web/lib/forms/form.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import type { Choosable } from './organization-draft.ts'
import { SeatsInUse } from './seats-in-use.tsx'
import styles from './services-fields.module.css'
import type { OrganizationSchemaForm } from './settings-fields.tsx'

const searchFrom = 13

interface ServicesFieldsProps {
  form: OrganizationSchemaForm
  organization: Choosable
}

/** The services of the organisation and their seats. Changes apply on Save. */
export function ServicesFields({ form, organization }: ServicesFieldsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [text, setText] = useState('')
  const { offered } = organization
  const wanted = text.trim().toLocaleLowerCase(language)
  const shown = offered.filter(({ name }) => name.toLocaleLowerCase(language).includes(wanted))
  return (
    <FieldGroup legend={t('services')} hint={t(offered.length > 0 ? 'organizationServicesHint' : 'noServicesYet')}>
      {offered.length >= searchFrom && (
        <SearchInput label={t('searchServices')} clearLabel={t('clearSearch')} value={text} onChange={setText} />
      )}
      {shown.length > 0 && (
        <ul className={styles.list}>
          {shown.map(({ serviceId, name }) => (
            <li key={serviceId} className={styles.row}>
              <ServiceRow
                form={form}
                serviceId={serviceId}
                name={name}
                used={organization.services.find((own) => own.serviceId === serviceId)?.seatsUsed ?? 0}
              />
            </li>
          ))}
        </ul>
      )}
      {wanted && shown.length === 0 && <p role="status">{t('noServicesFound', { searchQuery: text.trim() })}</p>}
    </FieldGroup>
  )
}

interface ServiceRowProps {
  form: OrganizationSchemaForm
  serviceId: string
  name: string
  used: number
}

function ServiceRow({ form, serviceId, name, used }: ServiceRowProps) {
  const { t } = useTranslation()
  const { control } = form.form
  const own = useWatch({ control, name: `services.${serviceId}` })
  const [loginMethod, createAtSignIn] = useWatch({ control, name: ['loginMethod', 'createAtSignIn'] })
  const creates = isCompany(loginMethod) && createAtSignIn
  return (
    <>
      <Checkbox label={name} {...form.register(`services.${serviceId}.chosen`)} />
      {own?.chosen && (
        <>
          <Field {...form.field(`services.${serviceId}.seats`, t('maxNumberOfUsersFor', { name }))} hideLabel>
            <TextInput
              inputMode="numeric"
              autoComplete="off"
              placeholder={t('unlimited')}
              {...form.register(`services.${serviceId}.seats`, { setValueAs: asNumber })}
            />
          </Field>
          <SeatsInUse used={used} seats={own.seats ?? null} />
          {creates && (
            <div className={styles.first}>
              <Checkbox
                label={t('serviceAtFirstSignIn')}
                aria-label={t('serviceAtFirstSignInFor', { name })}
                {...form.register(`services.${serviceId}.atFirstSignIn`)}
              />
            </div>
          )}
        </>
      )}
    </>
  )
}
