import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { enteredPassword } from '#contract/fields/password.ts'
import type { ProfileDraft } from '#contract/profile/profile.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import type { Unconfirmed } from './use-own-details.ts'
import { atPassword } from './wrong-password.ts'

interface ConfirmChangeProps {
  change: Unconfirmed
  /** Saves the draft on the server and redirects to the sign-in. */
  onSignInAgain: (draft: ProfileDraft) => Promise<void>
  leaving: boolean
}

/** Asks the user to authenticate again before a change that could be used to take over the account. */
export function ConfirmChange(props: ConfirmChangeProps) {
  const { me } = useSignedIn()
  return isLocal(me.loginMethod) ? <WithPassword {...props} /> : <WithSignIn {...props} />
}

const confirmation = z.strictObject({ currentPassword: enteredPassword })

function WithPassword({ change }: ConfirmChangeProps) {
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

function WithSignIn({ change, onSignInAgain, leaving }: ConfirmChangeProps) {
  const { t } = useTranslation()
  const signInAgain = () =>
    void onSignInAgain(change.draft).then(
      () => change.settle(),
      // The error toast is shown already, and the dialog stays open for a retry.
      () => undefined,
    )
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={t('confirmItIsYou')}
      cancelLabel={t('cancel')}
      confirmLabel={t('logInAgain')}
      loading={leaving}
      onCancel={() => change.settle()}
      onConfirm={signInAgain}
    >
      {t('confirmWithSignIn')}
    </ConfirmDialog>
  )
}
