import { useEffect, useRef, useState } from 'react'
import { passwordProblem } from '#contract/password-rules.ts'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ToastRegion } from '#web/ui/toast-region.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import { resetPassword } from './calls.ts'
import place from './form-problem.module.css'
import { FormProblem } from './form-problem.tsx'
import { FormSummary } from './form-summary.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { usePublicPage } from './public-page.tsx'
import { type Problems, useDraft } from './use-draft.ts'

const fields = ['newPassword', 'confirmNewPassword'] as const
type Draft = Record<(typeof fields)[number], string>

/** As `passwordReset` of the contract says, which is too heavy for this entry. */
function problemsIn({ newPassword, confirmNewPassword }: Draft): Problems<keyof Draft> {
  const problem = passwordProblem(newPassword)
  const differs = confirmNewPassword === '' ? 'required' : 'passwordsDoNotMatch'
  return {
    ...(problem ? { newPassword: problem } : {}),
    ...(confirmNewPassword === '' || confirmNewPassword !== newPassword ? { confirmNewPassword: differs } : {}),
  }
}

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
  const form = useDraft({
    fields,
    labels: { newPassword: t('newPassword'), confirmNewPassword: t('confirmNewPassword') },
    values: { newPassword: '', confirmNewPassword: '' },
    problemsIn,
    send: async (draft) => {
      await resetPassword({ email, token, ...draft })
      setSaved(true)
    },
    onInvalid,
  })
  useEffect(() => {
    if (!form.problem) return
    const toast = toasts.show({ tone: 'danger', title: t('genericErrorMessage') })
    // It may lie above the button: whoever types on or tries again has seen it.
    return () => toasts.dismiss(toast)
  }, [form.problem, t])
  useEffect(() => {
    // The button that was pressed is gone.
    if (saved) onwards.current?.focus()
  }, [saved])

  return (
    <AuthCard title={title}>
      <form noValidate onSubmit={saved ? (event) => event.preventDefault() : form.submit}>
        <div role="status" className={place.place}>
          {saved && (
            <Alert tone="ok" title={t('newPasswordSaved')}>
              {t('newPasswordSavedText')}
            </Alert>
          )}
        </div>
        <FormSummary errors={form.errors} refusals={form.refusals} />
        <Field label={t('email')} id="email">
          <TextInput type="email" name="email" autoComplete="username" readOnly value={email} />
        </Field>
        <NewPasswordFields
          locked={saved}
          password={form.field('newPassword')}
          confirmation={form.field('confirmNewPassword')}
        />
        <FormProblem problem={form.problem} />
        {saved ? (
          <LinkButton ref={onwards} href="/" variant="primary" full>
            {t('signIn')}
          </LinkButton>
        ) : (
          <Button type="submit" variant="primary" full loading={form.sending}>
            {t('save')}
          </Button>
        )}
      </form>
      <ToastRegion label={t('notifications')} closeLabel={t('closeNotification')} />
    </AuthCard>
  )
}
