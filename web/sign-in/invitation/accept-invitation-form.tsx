import { acceptForm, acceptLabels } from '#contract/invitations/accept-form.ts'
import type { Invitation } from '#contract/invitations/invitations.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { NewPasswordFields } from '#web/lib/forms/new-password-fields.tsx'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { acceptInvitation } from '../frame/calls.ts'
import type { OpenLink } from '../frame/mailed-link.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useInitialFocus } from '../frame/use-initial-focus.ts'

interface AcceptInvitationFormProps extends OpenLink {
  invitation: Invitation
  /** Who is signed in in this browser, if anyone. */
  signedInAs: string | undefined
  onAccepted: () => void
}

/** Names, and the proof that the sign-in method asks for. */
export function AcceptInvitationForm(props: AcceptInvitationFormProps) {
  const { invitation, signedInAs, token, onAccepted, onInvalid, onChanged } = props
  const { t, data } = usePublicPage()
  const { email, loginMethod, firstName, lastName } = invitation
  const form = useSchemaForm({
    schema: acceptForm,
    labels: acceptLabels,
    values: {
      email,
      token,
      loginMethod,
      firstName: firstName ?? '',
      lastName: lastName ?? '',
      ...(isLocal(loginMethod) ? { password: '', confirmNewPassword: '' } : { ssn: '' }),
    },
    save: async (values) => {
      try {
        await acceptInvitation(values)
        onAccepted()
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        if (error.message === 'invitationInvalid') return onInvalid()
        // The address has got an account since the page was opened.
        if (error.message === 'signInToAccept') return onChanged()
        throw error
      }
    },
  })
  const { field, register } = form
  const first = field('firstName')
  useErrorInTitle(form.problem !== undefined)
  useInitialFocus(first.id)

  return (
    <form noValidate onSubmit={form.submit} onInput={form.dismissProblem}>
      <FormProblems form={form} />
      {signedInAs && <Alert tone="warn">{t('acceptingSignsOut', { own: signedInAs, email })}</Alert>}
      <Field label={t('email')} id="email">
        <TextInput type="email" name="email" autoComplete="username" readOnly value={email} />
      </Field>
      <Field {...first}>
        <TextInput autoComplete="given-name" required {...register('firstName')} />
      </Field>
      <Field {...field('lastName')}>
        <TextInput autoComplete="family-name" required {...register('lastName')} />
      </Field>
      {isLocal(loginMethod) ? (
        <NewPasswordFields form={form} password={{ name: 'password' }} repetition={{ name: 'confirmNewPassword' }} />
      ) : (
        <Field {...field('ssn')} hint={t('ssnHint')}>
          <TextInput inputMode="numeric" autoComplete="off" required {...register('ssn')} />
        </Field>
      )}
      <a href={data.privacyUrl} target="_blank" rel="noreferrer">
        {t('privacyHow')}
      </a>
      <FormProblem text={form.problem} />
      <Button type="submit" variant="primary" full loading={form.saving}>
        {t('acceptInvitation')}
      </Button>
    </form>
  )
}
