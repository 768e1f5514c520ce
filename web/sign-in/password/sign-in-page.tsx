import { type SubmitEvent, useRef, useState } from 'react'
import { emailProblem } from '#contract/fields/email-address.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { EmailField } from '../frame/email-field.tsx'
import { FormProblem } from '../frame/form-problem.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useHydrated } from '../frame/use-hydrated.ts'
import { useInitialFocus } from '../frame/use-initial-focus.ts'
import { useSubmission } from '../frame/use-submission.ts'
import { PasskeyButton } from '../passkey/passkey-button.tsx'
import { ForgotPasswordLink } from './forgot-password-link.tsx'

/** Who are you? A plain form that asks the next page; the script only says sooner what is wrong with an address. */
export function SignInPage() {
  const { t, title, data } = usePublicPage()
  const hydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const [mistake, setMistake] = useState<string>()
  const [problem, setProblem] = useState<Failure | undefined>(data.error ? { message: data.error } : undefined)
  const { submitting, begin, end } = useSubmission()
  useInitialFocus('email')
  useErrorInTitle(hydrated && Boolean(mistake || problem))

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const found = emailProblem(input.current?.value ?? '')
    setMistake(found)
    if (found) input.current?.focus()
    if (found || !begin()) event.preventDefault()
  }
  const correct = (address: string) => {
    // Someone who stopped the page from loading can try again.
    end()
    setProblem(undefined)
    if (mistake) setMistake(emailProblem(address))
  }

  return (
    <AuthCard title={title}>
      <form action={`/interaction/${data.uid}/login`} noValidate={hydrated} onSubmit={submit}>
        <EmailField ref={input} mistake={mistake} invalid={hydrated && Boolean(problem)} passkeys onChange={correct} />
        <ForgotPasswordLink />
        <FormProblem problem={problem} />
        <Button type="submit" variant="primary" full loading={submitting}>
          {t('continue')}
        </Button>
      </form>
      <PasskeyButton readEmail={() => input.current?.value ?? ''} onProblem={setProblem} />
    </AuthCard>
  )
}
