import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { anyCode } from '#contract/sign-in/second-factor.ts'
import { stepUp } from '#contract/step-up/step-up.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem } from '#web/lib/forms/form-problems.tsx'
import { send } from '#web/lib/requests/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'

const schema = z.strictObject({ code: anyCode })

/** For somebody who has lost the app or key: a code that was saved for that. */
export function ConfirmByRecoveryCode({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const form = useSchemaForm({
    schema,
    labels: { code: 'recoveryCode' },
    values: { code: '' },
    save: async (input) => {
      await send(stepUp.verify, { input })
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <FormGrid>
        <p>{t('recoveryCodeText')}</p>
        <Field {...form.field('code')} says>
          <TextInput
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            autoFocus
            {...form.register('code')}
          />
        </Field>
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
