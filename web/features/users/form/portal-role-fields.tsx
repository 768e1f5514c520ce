import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { portalRole, portalRoleLabels } from '#contract/portal-roles.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import type { UserSchemaForm } from './person-fields.tsx'

const hints = { reader: 'portalReaderHint', auditor: 'portalAuditorHint' } as const

/** The role of somebody who works for the operator, which reads in every organisation. A super user needs none. */
export function PortalRoleFields({ form }: { form: UserSchemaForm }) {
  const { t } = useTranslation()
  const { register, field } = form
  const [superUser, role] = useWatch({ control: form.form.control, name: ['superUser', 'portalRole'] })
  const isNeedless = superUser && !role
  if (isNeedless) return null
  return (
    <>
      <Field {...field('portalRole')} hint={t(role ? hints[role] : 'portalRoleHint')}>
        <Select {...register('portalRole')}>
          <option value="">{t('portalRoleNone')}</option>
          {portalRole.options.map((one) => (
            <option key={one} value={one}>
              {t(portalRoleLabels[one])}
            </option>
          ))}
        </Select>
      </Field>
      {role && (
        <FormGrid columns>
          <Field {...field('portalRoleFrom')} optionalText={t('optional')}>
            <TextInput type="date" {...register('portalRoleFrom')} />
          </Field>
          <Field {...field('portalRoleUntil')} optionalText={t('optional')}>
            <TextInput type="date" {...register('portalRoleUntil')} />
          </Field>
        </FormGrid>
      )}
    </>
  )
}
