import { useTranslation } from 'react-i18next'
import { signInHostForm, signInHostLabels } from '#contract/brands/brand-form.ts'
import { brands, type OrganizationBrand } from '#contract/brands/brands.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem } from '#web/lib/forms/form-problems.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** The operator's part: a host name of the organisation, which leads to the sign-in. */
export function SignInHostFields({ brand: { organizationId, signInHost } }: { brand: OrganizationBrand }) {
  const { t } = useTranslation()
  const save = useSave(brands.updateHost, { inline: true })
  const form = useSchemaForm({
    schema: signInHostForm,
    labels: signInHostLabels,
    values: { signInHost: signInHost ?? '' },
    save: async (input) => {
      await save.mutateAsync({ params: { id: organizationId }, input })
      form.form.reset({ signInHost: input.signInHost ?? '' })
      toasts.show({ tone: 'success', title: t('signInHostSaved') })
    },
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <FormGrid>
        <Field {...form.field('signInHost')} hint={t('signInHostHint')} optionalText={t('optional')}>
          <TextInput autoComplete="off" spellCheck={false} {...form.register('signInHost')} />
        </Field>
        <FormProblem text={form.problem} />
        <FormActions>
          <Button type="submit" loading={form.saving}>
            {t('saveSignInHost')}
          </Button>
        </FormActions>
      </FormGrid>
    </form>
  )
}
