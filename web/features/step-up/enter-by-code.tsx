import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { code } from '#contract/sign-in/second-factor.ts'
import type { CodeDeliveryType } from '#contract/sign-in/sign-in.ts'
import { stepUp } from '#contract/step-up/step-up.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { send } from '#web/lib/requests/api.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'

interface EnterByCodeProps {
  /** Who asks for it. */
  text: string
  hasPhoneNumber: boolean
  /** Its codes count, and are asked for first. */
  hasApp?: boolean
  /** Codes by mail count. */
  hasMail?: boolean
  onDone: () => void
}

/** A code of the app, by e-mail or text message raises the session. */
export function EnterByCode({ text, hasPhoneNumber, hasApp = false, hasMail = true, onDone }: EnterByCodeProps) {
  const { t } = useTranslation()
  const { email } = useSignedIn().me
  const [sent, setSent] = useState<CodeDeliveryType>()
  const ask = useMutation({
    mutationFn: (by: CodeDeliveryType) => send(stepUp.start, { input: { codeDeliveryType: by } }),
    onSuccess: (_, by) => setSent(by),
  })
  const byMail = hasMail && (
    <Button
      variant={sent || hasApp ? 'secondary' : 'primary'}
      loading={ask.isPending && ask.variables === 'email'}
      onClick={() => ask.mutate('email')}
    >
      {t(sent === 'email' ? 'sendNewCode' : sent ? 'sendByEmail' : 'sendCodeByEmail')}
    </Button>
  )
  const bySms = hasPhoneNumber && (
    <Button loading={ask.isPending && ask.variables === 'sms'} onClick={() => ask.mutate('sms')}>
      {t(sent === 'sms' ? 'sendNewCode' : sent ? 'sendBySms' : 'sendCodeBySms')}
    </Button>
  )
  return (
    <FormGrid>
      <p>{text}</p>
      <p role="status" className={sent || hasApp ? undefined : 'vh'}>
        {sent === 'email' ? t('codeSentByEmail', { email }) : sent ? t('codeSentBySms') : hasApp && t('codeFromApp')}
      </p>
      {(sent || hasApp) && <CodeForm key={sent} onDone={onDone} />}
      {(hasMail || hasPhoneNumber) && (
        <FormActions>
          {byMail}
          {bySms}
        </FormActions>
      )}
    </FormGrid>
  )
}

const codeForm = z.strictObject({ code })

function CodeForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const form = useSchemaForm({
    schema: codeForm,
    labels: { code: 'code' },
    values: { code: '' },
    save: async (input) => {
      await send(stepUp.verify, { input })
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <FormGrid>
        <FormProblems form={form} />
        <Controller
          control={form.form.control}
          name="code"
          render={({ field: { value, onChange, name } }) => (
            <Field {...form.field('code')} says>
              <CodeInput name={name} value={value} onChange={onChange} autoFocus onComplete={() => form.submit()} />
            </Field>
          )}
        />
        <FormProblem text={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" loading={form.saving}>
            {t('continue')}
          </Button>
        </FormActions>
      </FormGrid>
    </form>
  )
}
