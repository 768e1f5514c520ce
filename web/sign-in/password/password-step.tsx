import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import type { Failure } from '#web/lib/texts/texts.ts'
import { useErrorInTitle } from '#web/lib/texts/title.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { BackLink } from '../frame/back-link.tsx'
import { verifySecondFactor } from '../frame/calls.ts'
import { FormProblem, problemId, problemOf } from '../frame/form-problem.tsx'
import { loadPart } from '../frame/load-part.ts'
import { ShowIf } from '../frame/page-data.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useHydrated } from '../frame/use-hydrated.ts'
import { useInitialFocus } from '../frame/use-initial-focus.ts'
import { useSubmission } from '../frame/use-submission.ts'
import { CodeStep } from './code-step.tsx'
import { FindingCover } from './finding-cover.tsx'
import { ForgotPasswordLink } from './forgot-password-link.tsx'
import { isProvenBy } from './is-proven-by.ts'
import styles from './password-step.module.css'
import type { SecondFactor } from './sign-in-steps.ts'
import { codeLength, useCode } from './use-code.ts'
import { useReceivedCode } from './use-received-code.ts'

interface PasswordStepProps {
  /** The sign-in method is known; until then a skeleton covers the form. */
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
  const [problem, setProblem] = useState<Failure | undefined>(
    data.error && !wrongCode ? { message: data.error } : undefined,
  )
  const [early, setEarly] = useState(false)
  const { submitting, begin, end } = useSubmission()
  const code = useCode({ sentBefore: data.codeSent !== '', mistake: wrongCode ? data.error : undefined })
  const { sent } = code
  const locked = sent?.by !== undefined
  useInitialFocus('password', ready)
  useErrorInTitle(hydrated && Boolean(mistake || code.mistake || problem))

  const by = sent?.by
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new code is one to be typed
  useEffect(() => {
    if (by) codeInput.current?.focus()
  }, [by, sent?.at])

  /** Runs one call that needs the password; its failure is shown above the buttons. */
  const withPassword = async (work: (password: string) => Promise<void>) => {
    const password = input.current?.value ?? ''
    setProblem(undefined)
    setMistake(password ? undefined : 'required')
    if (!password) return input.current?.focus()
    if (!begin()) return
    try {
      await work(password)
    } catch (error) {
      end()
      refuse(error)
    }
  }
  const refuse = (error: unknown) => {
    if (error instanceof ApiProblem && error.message === 'invalidCode') {
      code.refuse()
      return codeInput.current?.select()
    }
    if (error instanceof ApiProblem && error.message === 'invalidCredentials') {
      code.forget()
      input.current?.select()
    }
    setProblem(problemOf(error))
    if (!sent) input.current?.select()
  }
  const about = { email: data.email, uid: data.uid }
  const send = (by?: 'email' | 'sms') =>
    withPassword(async (password) => {
      await code.send({ ...about, password, ...(by && { codeDeliveryType: by }) })
      end()
    })
  const finish = (digits: string) => {
    if (digits.length < codeLength) {
      code.complain()
      return codeInput.current?.focus()
    }
    return withPassword(async (password) => {
      await verifySecondFactor({ ...about, password, code: digits })
      form.current?.submit()
    })
  }
  const proveKey = () =>
    withPassword(async (password) => {
      code.ask('passkey')
      const { proveSecondKey } = await loadPart(import('../passkey/second-key.ts'))
      if (await proveSecondKey({ ...about, password })) return form.current?.submit()
      code.noKey()
      end()
    })
  const proceed = () => {
    if (sent?.by === 'passkey') return proveKey()
    if (sent) return finish(code.digits)
    if (secondFactor) return send()
    return withPassword(async (password) => {
      if (await isProvenBy({ ...about, password })) return form.current?.submit()
      await code.send({ ...about, password })
      end()
    })
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A password manager can be faster than the look-up of the sign-in method: submits once that is known.
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
      onKey={proveKey}
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
          <ShowIf data={data} name="codeSent">
            {codeStep}
          </ShowIf>
        ) : (
          codeStep
        )}
        <FormProblem problem={problem} />
        <Button type="submit" variant="primary" full loading={submitting}>
          {t(sent?.by === 'passkey' ? 'usePasskey' : secondFactor && !sent ? 'continue' : 'signIn')}
        </Button>
        <BackLink />
      </form>
      {!ready && <FindingCover />}
    </div>
  )
}
