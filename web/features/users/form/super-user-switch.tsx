import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import type { UserSchemaForm } from './person-fields.tsx'

interface SuperUserSwitchProps {
  form: UserSchemaForm
  personName: string
  own: boolean
}

/** Switching on asks for confirmation, switching off does not. Both apply on Save. */
export function SuperUserSwitch({ form, personName, own }: SuperUserSwitchProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const superUser = useWatch({ control: form.form.control, name: 'superUser' })
  const { id, label, error } = form.field('superUser')
  const set = (next: boolean) => {
    form.form.setValue('superUser', next, { shouldDirty: true })
    form.form.clearErrors('superUser')
  }
  return (
    <>
      <Switch
        id={id}
        error={error}
        label={label}
        hint={t(own ? 'ownAccount' : 'superUserHint')}
        checked={superUser}
        disabled={own}
        onChange={(event) => (event.target.checked ? setAsked(true) : set(false))}
      />
      <ConfirmDialog
        open={asked}
        tone="primary"
        title={t('makeSuperUserTitle', { name: personName })}
        cancelLabel={t('cancel')}
        confirmLabel={t('makeSuperUser')}
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          set(true)
          setAsked(false)
        }}
      >
        {t('makeSuperUserText')}
      </ConfirmDialog>
    </>
  )
}
