import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from './service-roles.module.css'

export interface Days {
  validFrom: string | null
  validUntil: string | null
}
export const always: Days = { validFrom: null, validUntil: null }

interface RoleDaysProps {
  of: string
  days: Days
  onChange: (days: Days) => void
}

/** From when until when somebody has a role. Folded away where it has no days. */
export function RoleDays({ of, days, onChange }: RoleDaysProps) {
  const { t } = useTranslation()
  const id = useId()
  const [open, setOpen] = useState(days.validFrom !== null || days.validUntil !== null)
  const labels = { validFrom: t('firstDay'), validUntil: t('lastDay') }
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('period')}</summary>
      <div className={styles.days}>
        {(['validFrom', 'validUntil'] as const).map((name) => (
          <Field key={name} id={`${id}${name}`} label={`${of}: ${labels[name].toLocaleLowerCase()}`}>
            <TextInput
              type="date"
              value={days[name] ?? ''}
              onChange={(event) => onChange({ ...days, [name]: event.target.value || null })}
            />
          </Field>
        ))}
      </div>
    </details>
  )
}
