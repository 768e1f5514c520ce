import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { enteredPassword } from '#contract/fields/password.ts'
import { freshProof } from '#contract/step-up/fresh-proof.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { send } from '#web/lib/requests/api.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { atPassword } from './wrong-password.ts'

const confirmation = z.strictObject({ currentPassword: enteredPassword })

/** Asks for the password before a change that could be used to take over the account. */
export function AskPassword({ onSettled }: { onSettled: (password: string | undefined) => void }) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const form = useSchemaForm({
    schema: confirmation,
    labels: { currentPassword: 'password' },
    values: { currentPassword: '' },
    save: async ({ currentPassword }) => {
      await send(freshProof.password, { input: { password: currentPassword } }).catch((error: unknown) => {
        throw atPassword(error, 'currentPassword')
      })
      onSettled(currentPassword)
    },
  })
  return (
    <FormDialog
      form={form}
      size="confirm"
      title={t('confirmItIsYou')}
      subtitle={t('confirmWithPassword')}
      onClose={() => onSettled(undefined)}
      initialFocus="first"
      saveLabel={t('confirm')}
      guard={false}
    >
      <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
      <Field {...form.field('currentPassword')}>
        <PasswordInput
          autoComplete="current-password"
          showLabel={t('showPassword')}
          {...form.register('currentPassword')}
        />
      </Field>
    </FormDialog>
  )
}
