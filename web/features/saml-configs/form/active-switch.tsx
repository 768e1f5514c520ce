import { useState } from 'react'
import { Controller, type FieldValues, type Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import type { SchemaForm } from '#web/lib/forms/form.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'

interface ActiveSwitchProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  saved: SamlConfigDetails
}

/** Whether the configuration signs people in. Without a passed test, switching it on is asked about. */
export function ActiveSwitch<Draft extends FieldValues, Values>({ form, saved }: ActiveSwitchProps<Draft, Values>) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const name = 'active' as Path<Draft>
  const { id, label, error } = form.field(name)
  return (
    <Controller
      control={form.form.control}
      name={name}
      render={({ field: { value, onChange, ref, onBlur } }) => (
        <>
          <Switch
            ref={ref}
            id={id}
            label={label}
            hint={t('samlConfigActiveHint')}
            error={error}
            checked={value === true}
            onBlur={onBlur}
            onChange={({ target }) => (target.checked && !saved.active ? setAsking(true) : onChange(target.checked))}
          />
          <ConfirmDialog
            open={asking}
            tone="primary"
            title={t('samlConfigActivateTitle')}
            cancelLabel={t('cancel')}
            confirmLabel={t('samlConfigActivateAnyway')}
            onCancel={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false)
              onChange(true)
            }}
          >
            {t('samlConfigActivateText')}
          </ConfirmDialog>
        </>
      )}
    />
  )
}
