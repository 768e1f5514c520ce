import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { emailProblem } from '#contract/email-address.ts'
import { Alert } from '#web/ui/alert.tsx'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { requestPasswordReset } from './calls.ts'
import place from './form-problem.module.css'
import { FormProblem, type FormProblemState, problemId, problemOf } from './form-problem.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useLeaving } from './use-leaving.ts'

/** Asks for a link. What it says afterwards is the same for every address. */
export function ResetPasswordPage() {
  const { t, messageText, title, data } = usePublicPage()
  const input = useRef<HTMLInputElement>(null)
  const onwards = useRef<HTMLAnchorElement>(null)
  const [sent, setSent] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const [problem, setProblem] = useState<FormProblemState>()
  const { leaving, leave, stay } = useLeaving()
  useArrivalFocus(input)
  useWindowTitle(Boolean(mistake || problem))

  useEffect(() => {
    // The button that was pressed is gone, and the field cannot be typed in any more.
    if (sent) onwards.current?.focus()
  }, [sent])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = input.current?.value ?? ''
    const found = emailProblem(email)
    setMistake(found)
    setProblem(undefined)
    if (found) return input.current?.focus()
    if (sent || !leave()) return
    try {
      await requestPasswordReset({ email })
      setSent(true)
    } catch (error) {
      setProblem(problemOf(error))
    }
    stay()
  }
  const correct = (address: string) => {
    setProblem(undefined)
    if (mistake) setMistake(emailProblem(address))
  }

  return (
    <AuthCard title={title} intro={sent ? undefined : t('resetPasswordIntro')}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div role="status" className={place.place}>
          {sent && (
            <Alert tone="ok" title={t('resetPasswordSent')}>
              {t('resetPasswordSentText')}
            </Alert>
          )}
        </div>
        <Field label={t('email')} id="email" error={mistake && messageText(mistake)}>
          <TextInput
            ref={input}
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            required
            maxLength={254}
            defaultValue={data.email}
            disabled={sent}
            aria-describedby={problemId}
            aria-invalid={Boolean(problem)}
            onChange={(event) => correct(event.target.value)}
          />
        </Field>
        <FormProblem problem={problem} />
        {!sent && (
          <Button type="submit" variant="primary" full loading={leaving}>
            {t('resetPasswordSend')}
          </Button>
        )}
        <LinkButton ref={onwards} href="/" full>
          {t('backToSignIn')}
        </LinkButton>
      </form>
    </AuthCard>
  )
}
