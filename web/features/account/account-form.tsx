import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { ChangedByOthers } from '#web/lib/changed-by-others.tsx'
import { FormProblem, FormProblems } from '#web/lib/form-problems.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { Field } from '#web/ui/field.tsx'
import { Card, FormGrid } from '#web/ui/page.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { ConfirmChange } from './confirm-change.tsx'
import { SaveBar } from './save-bar.tsx'
import { useKeptDraft } from './use-kept-draft.ts'
import { useOwnDetails } from './use-own-details.ts'
import { useSignInAgain } from './use-sign-in-again.ts'

const labels: Readonly<Record<string, MessageKey>> = {
  firstName: 'firstName',
  lastName: 'lastName',
  ssn: 'ssn',
  phoneNumber: 'phoneNumber',
}

/** Names, personal number and telephone; what must not change by itself waits for Save. */
export function AccountForm() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { form, unconfirmed } = useOwnDetails()
  const { signInAgain, keeping, leaving } = useSignInAgain()
  const saveButton = useRef<HTMLButtonElement>(null)
  const goToSave = useCallback(() => saveButton.current?.focus(), [])
  const resumed = useKeptDraft(form, goToSave)
  const { register, field, submit } = form
  const optional = t('optional')
  const describe = (name: string, value: unknown) => ({ field: t(labels[name] ?? 'email'), text: String(value ?? '') })
  return (
    <>
      <form noValidate onSubmit={submit}>
        <Card>
          <FormGrid>
            <ChangedByOthers form={form} describe={describe} />
            <FormProblems form={form} />
            <Field label={t('email')} hint={t('emailNotEditable')}>
              <TextInput type="email" autoComplete="email" readOnly value={me.email} />
            </Field>
            <FormGrid columns>
              <Field {...field('firstName', t('firstName'))}>
                <TextInput autoComplete="given-name" {...register('firstName')} />
              </Field>
              <Field {...field('lastName', t('lastName'))}>
                <TextInput autoComplete="family-name" {...register('lastName')} />
              </Field>
            </FormGrid>
            <FormGrid columns>
              <Field
                {...field('ssn', t('ssn'))}
                hint={t('ssnHint')}
                optionalText={me.loginMethod === 'bankid' ? undefined : optional}
              >
                <TextInput inputMode="numeric" autoComplete="off" {...register('ssn')} />
              </Field>
              <Field {...field('phoneNumber', t('phoneNumber'))} hint={t('phoneNumberHint')} optionalText={optional}>
                <TextInput type="tel" autoComplete="tel" {...register('phoneNumber')} />
              </Field>
            </FormGrid>
            <FormProblem text={form.problem} />
            {(form.dirty || form.saving) && (
              <SaveBar
                text={t(resumed ? 'draftIsBack' : 'unsavedChanges')}
                saving={form.saving && !unconfirmed}
                saveButton={saveButton}
                onDiscard={form.discard}
              />
            )}
          </FormGrid>
        </Card>
      </form>
      <LeaveGuard dirty={form.dirty && !leaving} />
      {unconfirmed && <ConfirmChange change={unconfirmed} leaving={keeping || leaving} onSignInAgain={signInAgain} />}
    </>
  )
}
