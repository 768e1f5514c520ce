import { type SubmitEvent, useRef, useState } from 'react'
import { emailProblem } from '#contract/email-address.ts'
import { AuthCard } from '#web/ui/auth-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ForgotPasswordLink } from './forgot-password-link.tsx'
import { FormProblem, problemId } from './form-problem.tsx'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useHydrated } from './use-hydrated.ts'
import { useLeaving } from './use-leaving.ts'

/** Who are you? A plain form that asks the next page; the script only says sooner what is wrong with an address. */
export function SignInPage() {
  const { t, messageText, title, data } = usePublicPage()
  const hydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const [mistake, setMistake] = useState<string>()
  const [problem, setProblem] = useState(data.error ? { message: data.error } : undefined)
  const { leaving, leave, stay } = useLeaving()
  useArrivalFocus(input)
  useWindowTitle(hydrated && Boolean(mistake || problem))

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const found = emailProblem(input.current?.value ?? '')
    setMistake(found)
    if (found) input.current?.focus()
    if (found || !leave()) event.preventDefault()
  }
  const correct = (address: string) => {
    // Whoever stopped the page from loading can try again.
    stay()
    setProblem(undefined)
    if (mistake) setMistake(emailProblem(address))
  }

  return (
    <AuthCard title={title}>
      <form action={`/interaction/${data.uid}/login`} noValidate={hydrated} onSubmit={submit}>
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
            aria-describedby={problemId}
            aria-invalid={hydrated && Boolean(problem)}
            onChange={(event) => correct(event.target.value)}
          />
        </Field>
        <ForgotPasswordLink />
        <FormProblem problem={problem} />
        <Button type="submit" variant="primary" full loading={leaving}>
          {t('continue')}
        </Button>
      </form>
    </AuthCard>
  )
}
