import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { enteredPassword } from '#contract/fields/password.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import type { Unconfirmed } from './use-own-details.ts'
import { atPassword } from './wrong-password.ts'

const confirmation = z.strictObject({ currentPassword: enteredPassword })

/** Asks for the password before a change that could be used to take over the account. */
export function ConfirmChange({ change }: { change: Unconfirmed }) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const form = useSchemaForm({
    schema: confirmation,
    labels: { currentPassword: 'password' },
    values: { currentPassword: '' },
    save: async ({ currentPassword }) => {
      try {
        await change.retry(currentPassword)
      } catch (error) {
        // Shows errors about the change itself in the account form.
        if (error instanceof ApiProblem && (error.status === 409 || error.status === 422))
          return change.settle({ problem: error })
        throw atPassword(error, 'currentPassword')
      }
      change.settle('saved')
    },
  })
  return (
    <FormDialog
      form={form}
      size="confirm"
      title={t('confirmItIsYou')}
      subtitle={t('confirmWithPassword')}
      onClose={() => change.settle()}
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
