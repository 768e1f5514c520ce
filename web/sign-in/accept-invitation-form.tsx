import { useRef } from 'react'
import type { Invitation } from '#contract/invitations.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { acceptanceOf, type DraftField, fieldsFor, hasPassword, problemsIn } from './acceptance.ts'
import { acceptInvitation } from './calls.ts'
import { FormProblem } from './form-problem.tsx'
import { FormSummary } from './form-summary.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { usePublicPage } from './public-page.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useDraft } from './use-draft.ts'

interface AcceptInvitationFormProps {
  invitation: Invitation
  token: string
  onAccepted: () => void
  onInvalid: () => void
}

/** Names, and the proof that the sign-in method asks for. */
export function AcceptInvitationForm({ invitation, token, onAccepted, onInvalid }: AcceptInvitationFormProps) {
  const { t } = usePublicPage()
  const { email, loginMethod } = invitation
  const first = useRef<HTMLInputElement>(null)
  useArrivalFocus(first)
  const { submit, sending, errors, refusals, problem, field } = useDraft<DraftField>({
    fields: fieldsFor(loginMethod),
    labels: {
      firstName: t('firstName'),
      lastName: t('lastName'),
      ssn: t('ssn'),
      password: t('choosePassword'),
      confirmNewPassword: t('repeatPassword'),
    },
    values: {
      firstName: invitation.firstName ?? '',
      lastName: invitation.lastName ?? '',
      ssn: '',
      password: '',
      confirmNewPassword: '',
    },
    problemsIn: (draft) => problemsIn(draft, loginMethod),
    send: async (draft) => {
      await acceptInvitation(acceptanceOf(draft, invitation, token))
      onAccepted()
    },
    fieldOf: { ssnTaken: 'ssn' },
    onInvalid,
  })

  return (
    <form noValidate onSubmit={submit}>
      <FormSummary errors={errors} refusals={refusals} />
      <Field label={t('email')} id="email">
        <TextInput type="email" name="email" autoComplete="username" readOnly value={email} />
      </Field>
      <TextField {...field('firstName')} input={{ ref: first, autoComplete: 'given-name' }} />
      <TextField {...field('lastName')} input={{ autoComplete: 'family-name' }} />
      {hasPassword(loginMethod) ? (
        <NewPasswordFields password={field('password')} confirmation={field('confirmNewPassword')} />
      ) : (
        <TextField
          {...field('ssn')}
          hint={t('ssnHint')}
          input={{ inputMode: 'numeric', autoComplete: 'off', maxLength: 100 }}
        />
      )}
      <FormProblem problem={problem} />
      <Button type="submit" variant="primary" full loading={sending}>
        {t('acceptInvitation')}
      </Button>
    </form>
  )
}

interface TextFieldProps {
  name: DraftField
  label: string
  value: string
  error: string | undefined
  change: (value: string) => void
  hint?: string
  input: React.ComponentProps<typeof TextInput>
}

const TextField = ({ name, label, value, error, change, hint, input }: TextFieldProps) => (
  <Field label={label} id={name} error={error} hint={hint}>
    <TextInput
      name={name}
      required
      maxLength={100}
      {...input}
      value={value}
      onChange={(event) => change(event.target.value)}
    />
  </Field>
)
