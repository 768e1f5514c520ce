import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { enteredPassword } from '#contract/fields/password.ts'
import { freshProof } from '#contract/step-up/fresh-proof.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { send } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'

const form = z.strictObject({ password: enteredPassword })

interface ConfirmByPasswordProps {
  email: string
  onDone: () => void
  onCancel: () => void
  /** Other ways. */
  children: ReactNode
}

/** The own password, once more. */
export function ConfirmByPassword({ email, onDone, onCancel, children }: ConfirmByPasswordProps) {
  const { t } = useTranslation()
  const entered = useSchemaForm({
    schema: form,
    labels: { password: 'password' },
    values: { password: '' },
    save: async (input) => {
      try {
        await send(freshProof.password, { input })
      } catch (error) {
        throw asFieldError(error)
      }
      onDone()
    },
  })
  return (
    <FormDialog
      form={entered}
      size="confirm"
      title={t('confirmItIsYou')}
      subtitle={t('confirmIdentityText')}
      onClose={onCancel}
      initialFocus="first"
      saveLabel={t('continue')}
      guard={false}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field {...entered.field('password')}>
        <PasswordInput
          autoComplete="current-password"
          showLabel={t('showPassword')}
          {...entered.register('password')}
        />
      </Field>
      {children}
    </FormDialog>
  )
}

/** Shows a wrong password at its field. */
const asFieldError = (error: unknown) =>
  error instanceof ApiProblem && error.message === 'invalidCredentials'
    ? new ApiProblem(error.status, 'wrongPassword', { issues: [{ path: 'password', message: 'wrongPassword' }] })
    : error
