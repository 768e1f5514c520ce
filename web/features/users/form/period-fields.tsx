import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ServiceRole } from '#contract/roles.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from '../user-dialog.module.css'
import { type DayName, dayKey } from './belongings.ts'
import type { UserSchemaForm } from './person-fields.tsx'
import { useBelongings } from './use-belongings.ts'

interface PeriodFieldsProps {
  form: UserSchemaForm
  organizationId: string
  services: readonly { organizationId: string; serviceId: string; userRole: ServiceRole }[]
  names: Map<string, string>
  /** The invitation is not accepted: only the membership has days yet. */
  invited: boolean
}

/** From when until when a person has what they have in an organisation. Folded away where nothing has a day. */
export function PeriodFields({ form, organizationId, services, names, invited }: PeriodFieldsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const [days, roles] = useWatch({ control: form.form.control, name: ['days', 'roles'] })
  const [open, setOpen] = useState(Object.keys(days).some((key) => key.includes(organizationId)))
  const edits = can('editPeople', { organizationId })
  const givesRoles = can('giveRoles', { organizationId })
  const handedOut = services.filter((one) =>
    one.userRole === 'serviceAdmin' ? can('appointServiceAdmins', one) : can('handOutService', one),
  )
  if (!edits && !givesRoles && handedOut.length === 0) return null
  const row = { form, days }
  return (
    <details className={styles.period} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('period')}</summary>
      <div className={styles.days}>
        {edits && <Row {...row} of={t('membership')} names={['validFrom', 'validUntil']} place={{ organizationId }} />}
        {givesRoles && !invited && roles[organizationId] === 'organizationAdmin' && (
          <Row {...row} of={t('roleOrganizationAdmin')} names={['roleFrom', 'roleUntil']} place={{ organizationId }} />
        )}
        {!invited &&
          handedOut.map(({ serviceId }) => (
            <Row
              key={serviceId}
              {...row}
              of={names.get(serviceId) ?? ''}
              names={['validFrom', 'validUntil']}
              place={{ organizationId, serviceId }}
            />
          ))}
      </div>
    </details>
  )
}

interface RowProps {
  form: UserSchemaForm
  days: Record<string, string>
  of: string
  names: readonly [DayName, DayName]
  place: { organizationId: string; serviceId?: string }
}

function Row({ form, days, of, names, place }: RowProps) {
  const { t } = useTranslation()
  const { setDay } = useBelongings(form)
  const texts = [t('firstDay'), t('lastDay')] as const
  return names.map((name, index) => {
    const key = dayKey(name, place)
    return (
      <Field key={key} {...form.field(`days.${key}`, `${of}: ${texts[index]?.toLocaleLowerCase()}`)}>
        <TextInput type="date" value={days[key] ?? ''} onChange={(event) => setDay(key, event.target.value)} />
      </Field>
    )
  })
}
