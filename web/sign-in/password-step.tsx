import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { BackLink } from './back-link.tsx'
import { CallFailed, verifyCredentials, verifySecondFactor } from './calls.ts'
import { CodeStep } from './code-step.tsx'
import { ForgotPasswordLink } from './forgot-password-link.tsx'
import { FormProblem, type FormProblemState, problemId, problemOf } from './form-problem.tsx'
import { Where } from './page-data.tsx'
import styles from './password-step.module.css'
import { usePublicPage, useWindowTitle } from './public-page.tsx'
import type { SecondFactor } from './sign-in-steps.ts'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { codeLength, useCode } from './use-code.ts'
import { useHydrated } from './use-hydrated.ts'
import { useLeaving } from './use-leaving.ts'
import { useReceivedCode } from './use-received-code.ts'

interface PasswordStepProps {
  /** It is known how the address signs in; until then a skeleton lies over the form. */
  ready: boolean
  secondFactor: SecondFactor | undefined
}

/**
 * The form that completes the sign-in, and works by itself. With script everything is checked first, so that a wrong
 * password or code costs no page load, and the form is posted when nothing stands in the way.
 */
export function PasswordStep({ ready, secondFactor }: PasswordStepProps) {
  const { t, messageText, data } = usePublicPage()
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const codeInput = useRef<HTMLInputElement>(null)
  const [mistake, setMistake] = useState<string>()
  const wrongCode = data.error === 'invalidCode'
  const [problem, setProblem] = useState<FormProblemState | undefined>(
    data.error && !wrongCode ? { message: data.error } : undefined,
  )
  const [early, setEarly] = useState(false)
  const { leaving, leave, stay } = useLeaving()
  const code = useCode({ sentBefore: data.codeSent !== '', mistake: wrongCode ? data.error : undefined })
  const { sent } = code
  const locked = sent?.by !== undefined
  useArrivalFocus(input, ready)
  useWindowTitle(hydrated && Boolean(mistake || code.mistake || problem))

  const by = sent?.by
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new code is one to be typed
  useEffect(() => {
    if (by) codeInput.current?.focus()
  }, [by, sent?.at])

  /** Does what needs the password; one thing at a time, and what it is refused for stands above the buttons. */
  const withPassword = async (work: (password: string) => Promise<void>) => {
    const password = input.current?.value ?? ''
    setProblem(undefined)
    setMistake(password ? undefined : 'required')
    if (!password) return input.current?.focus()
    if (!leave()) return
    try {
      await work(password)
    } catch (error) {
      stay()
      refuse(error)
    }
  }
  const refuse = (error: unknown) => {
    if (error instanceof CallFailed && error.message === 'invalidCode') {
      code.refuse()
      return codeInput.current?.select()
    }
    if (error instanceof CallFailed && error.message === 'invalidCredentials') {
      code.forget()
      input.current?.select()
    }
    setProblem(problemOf(error))
    if (!sent) input.current?.select()
  }
  const send = (by: 'email' | 'sms') =>
    withPassword(async (password) => {
      await code.send({ email: data.email, password, codeDeliveryType: by })
      stay()
    })
  const finish = (digits: string) => {
    if (digits.length < codeLength) {
      code.complain()
      return codeInput.current?.focus()
    }
    return withPassword(async (password) => {
      await verifySecondFactor({ email: data.email, password, code: digits, codeDeliveryType: sent?.by ?? 'email' })
      form.current?.submit()
    })
  }
  const proceed = () => {
    if (sent) return finish(code.digits)
    if (secondFactor) return send('email')
    return withPassword(async (password) => {
      await verifyCredentials({ email: data.email, password })
      form.current?.submit()
    })
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager is faster than the look-up: what the password has to prove is known in a moment.
    if (!ready) return setEarly(true)
    return proceed()
  }
  // Not by the form: a form that is just being sent, as it is where both come in one moment, cannot be sent again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because both are there
  useEffect(() => {
    if (!ready || !early) return
    setEarly(false)
    void proceed()
  }, [ready, early])
  const correct = () => {
    setMistake(undefined)
    setProblem(undefined)
  }
  useReceivedCode(by === 'sms' ? sent?.at : undefined, (digits) => {
    code.type(digits)
    correct()
    void finish(digits)
  })
  const codeStep = sent && (
    <CodeStep
      ref={codeInput}
      code={code}
      hasPhoneNumber={secondFactor?.hasPhoneNumber ?? false}
      onSend={send}
      onChange={correct}
      onComplete={finish}
    />
  )

  return (
    <div className={styles.step} data-finding={!ready || undefined}>
      <form
        ref={form}
        method="post"
        action={`/interaction/${data.uid}/login`}
        noValidate={hydrated}
        onSubmit={(event) => void submit(event)}
      >
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
            readOnly={locked}
            showLabel={t('showPassword')}
            aria-describedby={problemId}
            aria-invalid={hydrated && Boolean(problem) && !locked}
            onChange={correct}
          />
        </Field>
        <ForgotPasswordLink />
        {data.codeSent ? (
          <Where data={data} name="codeSent">
            {codeStep}
          </Where>
        ) : (
          codeStep
        )}
        <FormProblem problem={problem} />
        <Button type="submit" variant="primary" full loading={leaving}>
          {t(secondFactor && !sent ? 'continue' : 'signIn')}
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
