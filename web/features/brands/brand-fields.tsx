import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { brandForm, brandLabels } from '#contract/brands/brand-form.ts'
import { brands, type OrganizationBrand } from '#contract/brands/brands.ts'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { BrandPreview } from './brand-preview.tsx'
import { HueField } from './hue-field.tsx'
import { LogoField } from './logo-field.tsx'

export function BrandFields({ brand }: { brand: OrganizationBrand }) {
  const { t } = useTranslation()
  const save = useSave(brands.update, { inline: true })
  const { organizationId, name, hue, logo, darkLogo } = brand
  const form = useSchemaForm({
    schema: brandForm,
    labels: brandLabels,
    values: { hue, logo, darkLogo },
    save: async (input) => {
      await save.mutateAsync({ params: { id: organizationId }, input })
      form.form.reset(input)
      toasts.show({ tone: 'success', title: t('brandSaved') })
    },
  })
  const { control, setValue } = form.form
  const draft = form.form.watch()
  const change = (field: 'logo' | 'darkLogo', image: string | null) => {
    setValue(field, image, { shouldDirty: true, shouldValidate: true })
    // The second one stands beside the first.
    if (field === 'logo' && image === null) setValue('darkLogo', null, { shouldDirty: true })
  }
  return (
    <form noValidate onSubmit={form.submit}>
      <FormGrid>
        <h2>{name}</h2>
        <FormProblems form={form} />
        <Controller
          control={control}
          name="hue"
          render={({ field }) => <HueField {...form.field('hue')} value={field.value} onChange={field.onChange} />}
        />
        <LogoField
          {...form.field('logo')}
          hint={t('logoHint')}
          value={draft.logo}
          onChange={(image) => change('logo', image)}
        />
        {draft.logo && (
          <LogoField
            {...form.field('darkLogo')}
            hint={t('darkLogoHint')}
            value={draft.darkLogo}
            dark
            onChange={(image) => change('darkLogo', image)}
          />
        )}
        <BrandPreview name={name} {...draft} />
        <FormProblem text={form.problem} />
        <FormActions>
          <Button type="submit" variant="primary" loading={form.saving}>
            {t('save')}
          </Button>
        </FormActions>
      </FormGrid>
    </form>
  )
}
