import { useEffect, useRef, useState } from 'react'
import { passwordReset, passwordResetLabels } from '#contract/password-reset/password-reset.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { NewPasswordFields } from '#web/lib/forms/new-password-fields.tsx'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { resetPassword } from '../frame/calls.ts'
import place from '../frame/form-problem.module.css'
import { usePublicPage } from '../frame/public-page.tsx'

interface NewPasswordFormProps {
  email: string
  token: string
  onInvalid: () => void
}

/** A new password for the account of a link; afterwards the way to the sign-in. */
export function NewPasswordForm({ email, token, onInvalid }: NewPasswordFormProps) {
  const { t, title } = usePublicPage()
  const [saved, setSaved] = useState(false)
  const onwards = useRef<HTMLAnchorElement>(null)
  const form = useSchemaForm({
    schema: passwordReset,
    labels: passwordResetLabels,
    values: { email, token, newPassword: '', confirmNewPassword: '' },
    save: async (values) => {
      try {
        await resetPassword(values)
        setSaved(true)
      } catch (error) {
        if (!(error instanceof ApiProblem && error.message === 'resetLinkInvalid')) throw error
        onInvalid()
      }
    },
  })
  useErrorInTitle(form.problem !== undefined)
  useEffect(() => {
    if (!form.problem) return
    const toast = toasts.show({ tone: 'danger', title: t('genericErrorMessage') })
    // It may cover the button, so it goes with the next input or attempt.
    return () => toasts.dismiss(toast)
  }, [form.problem, t])
  useEffect(() => {
    // The button that was pressed is gone.
    if (saved) onwards.current?.focus()
  }, [saved])

  return (
    <AuthCard title={title}>
      <form noValidate onSubmit={saved ? (event) => event.preventDefault() : form.submit} onInput={form.dismissProblem}>
        <div role="status" className={place.place}>
          {saved && (
            <Alert tone="ok" title={t('newPasswordSaved')}>
              {t('newPasswordSavedText')}
            </Alert>
          )}
        </div>
        <FormProblems form={form} />
        <Field label={t('email')} id="email">
          <TextInput type="email" name="email" autoComplete="username" readOnly value={email} />
        </Field>
        <NewPasswordFields
          form={form}
          locked={saved}
          password={{ name: 'newPassword' }}
          repetition={{ name: 'confirmNewPassword' }}
        />
        <FormProblem text={form.problem} />
        {saved ? (
          <LinkButton ref={onwards} href="/" variant="primary" full>
            {t('signIn')}
          </LinkButton>
        ) : (
          <Button type="submit" variant="primary" full loading={form.saving}>
            {t('save')}
          </Button>
        )}
      </form>
      <ToastRegion label={t('notifications')} closeLabel={t('closeNotification')} />
    </AuthCard>
  )
}
