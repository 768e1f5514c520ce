import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Switch } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { UserSchemaForm } from './person-fields.tsx'

interface SuperUserSwitchProps {
  form: UserSchemaForm
  personName: string
  own: boolean
}

/** Specification, section 4: on asks first, off is immediate. Like every field, it counts when the form is saved. */
export function SuperUserSwitch({ form, personName, own }: SuperUserSwitchProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const superUser = useWatch({ control: form.form.control, name: 'superUser' })
  const set = (next: boolean) => form.form.setValue('superUser', next, { shouldDirty: true })
  return (
    <>
      <Switch
        id={form.field('superUser', t('superUser')).id}
        label={t('superUser')}
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
