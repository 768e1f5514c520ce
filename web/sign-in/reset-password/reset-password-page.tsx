import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { emailProblem } from '#contract/fields/email-address.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { requestPasswordReset } from '../frame/calls.ts'
import { EmailField } from '../frame/email-field.tsx'
import place from '../frame/form-problem.module.css'
import { FormProblem, problemOf } from '../frame/form-problem.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useInitialFocus } from '../frame/use-initial-focus.ts'
import { useSubmission } from '../frame/use-submission.ts'

/** Asks for a link. What it says afterwards is the same for every address. */
export function ResetPasswordPage() {
  const { t, title } = usePublicPage()
  const input = useRef<HTMLInputElement>(null)
  const onwards = useRef<HTMLAnchorElement>(null)
  const [sent, setSent] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const [problem, setProblem] = useState<Failure>()
  const { submitting, begin, end } = useSubmission()
  useInitialFocus('email')
  useErrorInTitle(Boolean(mistake || problem))

  useEffect(() => {
    // The button is gone and the field is disabled.
    if (sent) onwards.current?.focus()
  }, [sent])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = input.current?.value ?? ''
    const found = emailProblem(email)
    setMistake(found)
    setProblem(undefined)
    if (found) return input.current?.focus()
    if (sent || !begin()) return
    try {
      await requestPasswordReset({ email })
      setSent(true)
    } catch (error) {
      setProblem(problemOf(error))
    }
    end()
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
        <EmailField ref={input} mistake={mistake} invalid={Boolean(problem)} disabled={sent} onChange={correct} />
        <FormProblem problem={problem} />
        {!sent && (
          <Button type="submit" variant="primary" full loading={submitting}>
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
