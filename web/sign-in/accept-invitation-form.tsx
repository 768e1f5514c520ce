import { type SubmitEvent, useRef, useState } from 'react'
import type { Invitation } from '#contract/invitations.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import {
  acceptanceOf,
  type Draft,
  type DraftField,
  fieldsFor,
  hasPassword,
  type Problems,
  problemsIn,
} from './acceptance.ts'
import { acceptInvitation, CallFailed } from './calls.ts'
import { FormProblem, type FormProblemState, problemOf } from './form-problem.tsx'
import { FormSummary } from './form-summary.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useLeaving } from './use-leaving.ts'

interface AcceptInvitationFormProps {
  invitation: Invitation
  token: string
  onAccepted: () => void
  /** The link was used or replaced while somebody filled in the form. */
  onInvalid: () => void
}

/** Names, and the proof that the sign-in method asks for. */
export function AcceptInvitationForm({ invitation, token, onAccepted, onInvalid }: AcceptInvitationFormProps) {
  const { t, messageText } = usePublicPage()
  const { email, loginMethod } = invitation
  const [draft, setDraft] = useState<Draft>({
    firstName: invitation.firstName ?? '',
    lastName: invitation.lastName ?? '',
    ssn: '',
    password: '',
    confirmNewPassword: '',
  })
  const [problems, setProblems] = useState<Problems>({})
  const [refusals, setRefusals] = useState(0)
  const [problem, setProblem] = useState<FormProblemState>()
  const { leaving, leave, stay } = useLeaving()
  const first = useRef<HTMLInputElement>(null)
  useArrivalFocus(first)

  const fields = fieldsFor(loginMethod)
  const labels: Record<DraftField, string> = {
    firstName: t('firstName'),
    lastName: t('lastName'),
    ssn: t('ssn'),
    password: t('choosePassword'),
    confirmNewPassword: t('repeatPassword'),
  }
  const errors = fields.flatMap((id) =>
    problems[id] ? [{ id, message: `${labels[id]}: ${messageText(problems[id])}` }] : [],
  )
  useWindowTitle(errors.length > 0 || problem !== undefined)

  const refuse = (found: Problems) => {
    setProblems(found)
    setRefusals((count) => count + 1)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(undefined)
    const found = problemsIn(draft, loginMethod)
    if (Object.keys(found).length > 0) return refuse(found)
    setProblems({})
    if (!leave()) return
    try {
      await acceptInvitation(acceptanceOf(draft, invitation, token))
      onAccepted()
    } catch (error) {
      stay()
      if (error instanceof CallFailed && error.message === 'invitationInvalid') return onInvalid()
      const answered = problemsFrom(error, fields)
      if (answered) refuse(answered)
      else setProblem(problemOf(error))
    }
  }
  const change = (name: DraftField) => (value: string) => {
    const next = { ...draft, [name]: value }
    setDraft(next)
    setProblem(undefined)
    // What was wrong is looked at again with every key; what is new waits for the button.
    const now = problemsIn(next, loginMethod)
    const stillWrong = Object.keys(problems).map((key) => [key, now[key as DraftField]])
    setProblems(Object.fromEntries(stillWrong.filter(([, text]) => text !== undefined)))
  }
  const field = (name: DraftField) => ({
    name,
    label: labels[name],
    value: draft[name],
    error: problems[name] && messageText(problems[name]),
    change: change(name),
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
      <Button type="submit" variant="primary" full loading={leaving}>
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

/** What the server found, where it belongs to fields of the form; undefined where it belongs to none. */
function problemsFrom(error: unknown, fields: readonly DraftField[]): Problems | undefined {
  if (!(error instanceof CallFailed)) return undefined
  if (error.message === 'ssnTaken' && fields.includes('ssn')) return { ssn: 'ssnTaken' }
  const known = error.issues.filter(({ path }) => fields.some((field) => field === path))
  if (known.length === 0 || known.length < error.issues.length) return undefined
  return Object.fromEntries(known.map(({ path, message }) => [path, message]))
}
