import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { oidcConfigForm } from '#contract/saml-configs/oidc-configs.ts'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'
import styles from '../saml-configs.module.css'

interface ClaimNamesProps {
  form: FormOf<typeof oidcConfigForm>
  /** As it is saved; undefined for a new one. */
  saved: SamlConfigDetails | undefined
}

const names = ['emailAttribute', 'ssnAttribute', 'firstNameAttribute', 'lastNameAttribute'] as const

/** Where an OpenID Provider names its claims in another way: closed, unless something differs or is wrong. */
export function ClaimNames({ form, saved }: ClaimNamesProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(saved !== undefined && names.some((name) => saved[name] !== null))
  const hasError = names.some((name) => form.field(name).error !== undefined)
  const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }
  return (
    <details className={styles.more} open={open || hasError} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('samlMoreSettings')}</summary>
      <div className={styles.moreFields}>
        <Field {...form.field('emailAttribute')} hint={t('emailClaimHint')} optionalText={t('optional')}>
          <TextInput {...code} {...form.register('emailAttribute')} />
        </Field>
        <Field {...form.field('ssnAttribute')} hint={t('ssnAttributeHint')} optionalText={t('optional')}>
          <TextInput {...code} {...form.register('ssnAttribute')} />
        </Field>
        <FormGrid columns>
          <Field {...form.field('firstNameAttribute')} optionalText={t('optional')}>
            <TextInput {...code} {...form.register('firstNameAttribute')} />
          </Field>
          <Field {...form.field('lastNameAttribute')} optionalText={t('optional')}>
            <TextInput {...code} {...form.register('lastNameAttribute')} />
          </Field>
        </FormGrid>
      </div>
    </details>
  )
}
