import { type SubmitEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { BackLink } from './back-link.tsx'
import { verifyCredentials } from './calls.ts'
import { ForgotPasswordLink } from './forgot-password-link.tsx'
import { FormProblem, problemId, problemOf } from './form-problem.tsx'
import styles from './password-step.module.css'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useHydrated } from './use-hydrated.ts'
import { useLeaving } from './use-leaving.ts'

/**
 * The form that completes the sign-in, and works by itself. With script the password is checked first, so that a wrong
 * one costs no page load. Until it is known how the address signs in (`ready`), a skeleton lies over the form.
 */
export function PasswordStep({ ready }: { ready: boolean }) {
  const { t, messageText, data } = usePublicPage()
  const hydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const [mistake, setMistake] = useState<string>()
  const [problem, setProblem] = useState(data.error ? { message: data.error } : undefined)
  const { leaving, leave, stay } = useLeaving()
  useArrivalFocus(input, ready)
  useWindowTitle(hydrated && Boolean(mistake || problem))

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const password = input.current?.value ?? ''
    setProblem(undefined)
    setMistake(password ? undefined : 'required')
    if (!password) return input.current?.focus()
    if (!leave()) return
    try {
      await verifyCredentials({ email: data.email, password })
      form.submit()
    } catch (error) {
      stay()
      setProblem(problemOf(error))
      input.current?.select()
    }
  }
  const correct = () => {
    setMistake(undefined)
    setProblem(undefined)
  }

  return (
    <div className={styles.step} data-finding={!ready || undefined}>
      <form method="post" action={`/interaction/${data.uid}/login`} noValidate={hydrated} onSubmit={submit}>
        <Field label={t('email')} id="email">
          <TextInput type="email" name="email" autoComplete="username" readOnly value={data.email} />
        </Field>
        <input type="hidden" name="login" value={data.email} />
        <Field label={t('password')} id="password" error={mistake && messageText(mistake)}>
          <PasswordInput
            ref={input}
            name="password"
            autoComplete="current-password"
            required
            maxLength={256}
            showLabel={t('showPassword')}
            aria-describedby={problemId}
            aria-invalid={hydrated && Boolean(problem)}
            onChange={correct}
          />
        </Field>
        <ForgotPasswordLink />
        <FormProblem problem={problem} />
        <Button type="submit" variant="primary" full loading={leaving}>
          {t('signIn')}
        </Button>
        <BackLink />
      </form>
      {!ready && (
        <div className={styles.cover}>
          <SkeletonGroup label={t('findingSignIn')}>
            <Skeleton width="short" />
            <Skeleton shape="control" />
            <Skeleton width="short" />
            <Skeleton shape="control" />
            <Skeleton shape="control" />
            <Skeleton shape="control" />
          </SkeletonGroup>
        </div>
      )}
    </div>
  )
}
