import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangedByOthers } from '#web/lib/forms/changed-by-others.tsx'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { LeaveGuard } from '#web/lib/forms/leave-guard.tsx'
import { PrivacyLink } from '#web/lib/forms/privacy-link.tsx'
import { SaveBar } from '#web/lib/forms/save-bar.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Card, FormGrid } from '#web/ui/frame/page.tsx'
import { AskPassword } from './ask-password.tsx'
import { OwnNumberField } from './own-number-field.tsx'
import { OwnPhoneField } from './own-phone-field.tsx'
import { UnconfirmedNumbers } from './unconfirmed-numbers.tsx'
import { useOwnDetails } from './use-own-details.ts'
import { useUnconfirmed } from './use-unconfirmed.ts'

/** Names, personal number and phone number of the signed-in user; Save applies all changes together. */
export function AccountForm() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { form, question, confirmNumbers } = useOwnDetails()
  const unconfirmed = useUnconfirmed()
  const saveButton = useRef<HTMLButtonElement>(null)
  const { register, field, submit } = form
  return (
    <>
      <form noValidate onSubmit={submit}>
        <Card>
          <FormGrid>
            <ChangedByOthers form={form} />
            <FormProblems form={form} />
            <Field label={t('email')} hint={t('emailNotEditable')}>
              <TextInput type="email" autoComplete="email" readOnly value={me.email} />
            </Field>
            <FormGrid columns>
              <Field {...field('firstName')}>
                <TextInput autoComplete="given-name" {...register('firstName')} />
              </Field>
              <Field {...field('lastName')}>
                <TextInput autoComplete="family-name" {...register('lastName')} />
              </Field>
            </FormGrid>
            <FormGrid columns>
              <OwnNumberField form={form} isUnconfirmed={unconfirmed.includes('ssn')} />
              <OwnPhoneField form={form} isUnconfirmed={unconfirmed.includes('phoneNumber')} />
            </FormGrid>
            <UnconfirmedNumbers names={unconfirmed} onConfirm={() => confirmNumbers(unconfirmed)} />
            <PrivacyLink />
            <FormProblem text={form.problem} />
            {(form.dirty || form.saving) && (
              <SaveBar
                text={t('unsavedChanges')}
                saving={form.saving && !question}
                saveButton={saveButton}
                onDiscard={form.discard}
              />
            )}
          </FormGrid>
        </Card>
      </form>
      <LeaveGuard dirty={form.dirty} />
      {question && <AskPassword onSettled={question.settle} />}
    </>
  )
}
