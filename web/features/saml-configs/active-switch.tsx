import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails, samlConfigForm } from '#contract/saml-configs.ts'
import type { FormOf } from '#web/lib/form.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'

/** Whether the configuration signs people in. Without a passed test, switching it on is asked about. */
export function ActiveSwitch({ form, saved }: { form: FormOf<typeof samlConfigForm>; saved: SamlConfigDetails }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const { id, label, error } = form.field('active')
  return (
    <Controller
      control={form.form.control}
      name="active"
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
