import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recoveries, recoveryForm, recoveryHours, recoveryLabels } from '#contract/recoveries/recoveries.ts'
import type { User } from '#contract/users/users.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { nameOf } from '../user-name.ts'
import { OpenRecovery } from './open-recovery.tsx'

/** Helps a person who has lost every second factor, or says what an admin has begun. */
export function RecoverUser({ user }: { user: User }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { data } = useQuery(query(recoveries.read, { params: { id: user.accountId } }))
  const { canRecover = false, recovery = null } = data ?? {}
  const close = () => setOpen(false)
  if (!canRecover && !recovery) return null
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        {t(recovery ? 'recoveryUnderWay' : 'recoverUser')}
      </Button>
      {open && recovery && <OpenRecovery accountId={user.accountId} recovery={recovery} onClose={close} />}
      {open && !recovery && <AskForRecovery user={user} onClose={close} />}
    </>
  )
}

function AskForRecovery({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation()
  const name = nameOf(user)
  const { mutateAsync } = useSave(recoveries.ask, { inline: true })
  const form = useSchemaForm({
    schema: recoveryForm,
    labels: recoveryLabels,
    values: { reason: '' },
    save: async (input) => {
      await mutateAsync({ params: { id: user.accountId }, input })
      toasts.show({ tone: 'success', title: t('recoveryAsked', { name }) })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      size="confirm"
      title={t('recoverUser')}
      subtitle={name}
      onClose={onClose}
      initialFocus="first"
      saveLabel={t('recoveryAsk')}
    >
      <p>{t('recoverUserText', { name, hours: recoveryHours })}</p>
      <Field {...form.field('reason')}>
        <TextArea rows={3} {...form.register('reason')} />
      </Field>
    </FormDialog>
  )
}
