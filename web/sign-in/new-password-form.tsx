import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { passwordProblem } from '#contract/password-rules.ts'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { CallFailed, resetPassword } from './calls.ts'
import place from './form-problem.module.css'
import { FormProblem, type FormProblemState, problemOf } from './form-problem.tsx'
import { FormSummary } from './form-summary.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import { useLeaving } from './use-leaving.ts'

const fields = ['newPassword', 'confirmNewPassword'] as const
type Draft = Record<(typeof fields)[number], string>
/** Keys of what is wrong, by field. */
type Problems = Partial<Record<keyof Draft, string>>

/** As `passwordReset` of the contract says, which is too heavy for this entry. */
function problemsIn({ newPassword, confirmNewPassword }: Draft): Problems {
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
  /** The link was used or replaced while somebody filled in the form. */
  onInvalid: () => void
}

/** A new password for the account of a link; afterwards the way to the sign-in. */
export function NewPasswordForm({ email, token, onInvalid }: NewPasswordFormProps) {
  const { t, messageText, title } = usePublicPage()
  const [draft, setDraft] = useState<Draft>({ newPassword: '', confirmNewPassword: '' })
  const [problems, setProblems] = useState<Problems>({})
  const [refusals, setRefusals] = useState(0)
  const [problem, setProblem] = useState<FormProblemState>()
  const [saved, setSaved] = useState(false)
  const { leaving, leave, stay } = useLeaving()
  const onwards = useRef<HTMLAnchorElement>(null)
  const errors = fields.flatMap((id) =>
    problems[id] ? [{ id, message: `${t(id)}: ${messageText(problems[id])}` }] : [],
  )
  useWindowTitle(errors.length > 0 || problem !== undefined)
  useEffect(() => {
    // The button that was pressed is gone.
    if (saved) onwards.current?.focus()
  }, [saved])

  const refuse = (found: Problems) => {
    setProblems(found)
    setRefusals((count) => count + 1)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(undefined)
    const found = problemsIn(draft)
    if (Object.keys(found).length > 0) return refuse(found)
    if (saved || !leave()) return
    try {
      await resetPassword({ email, token, ...draft })
      setSaved(true)
    } catch (error) {
      if (error instanceof CallFailed && error.message === 'resetLinkInvalid') return onInvalid()
      const issue = error instanceof CallFailed && error.issues.find(({ path }) => path === 'newPassword')
      if (issue) refuse({ newPassword: issue.message })
      else setProblem(problemOf(error))
    }
    stay()
  }
  const field = (name: keyof Draft, label: string) => ({
    name,
    label,
    value: draft[name],
    error: problems[name] && messageText(problems[name]),
    change: (value: string) => {
      const next = { ...draft, [name]: value }
      setDraft(next)
      setProblem(undefined)
      // What was wrong is looked at again with every key; what is new waits for the button.
      const now = problemsIn(next)
      const still = fields.filter((id) => problems[id] !== undefined && now[id] !== undefined)
      setProblems(Object.fromEntries(still.map((id) => [id, now[id]])))
    },
  })

  return (
    <AuthCard title={title}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div role="status" className={place.place}>
          {saved && (
            <Alert tone="ok" title={t('newPasswordSaved')}>
              {t('newPasswordSavedText')}
            </Alert>
          )}
        </div>
        <FormSummary errors={errors} refusals={refusals} />
        <Field label={t('email')} id="email">
          <TextInput type="email" name="email" autoComplete="username" readOnly value={email} />
        </Field>
        <NewPasswordFields
          locked={saved}
          password={field('newPassword', t('newPassword'))}
          confirmation={field('confirmNewPassword', t('confirmNewPassword'))}
        />
        <FormProblem problem={problem} />
        {saved ? (
          <LinkButton ref={onwards} href="/" variant="primary" full>
            {t('signIn')}
          </LinkButton>
        ) : (
          <Button type="submit" variant="primary" full loading={leaving}>
            {t('save')}
          </Button>
        )}
      </form>
    </AuthCard>
  )
}
