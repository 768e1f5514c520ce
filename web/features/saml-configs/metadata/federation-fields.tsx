import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from '../saml-configs.module.css'

interface Typed {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

interface FederationFieldsProps {
  signer: Typed
  /** Left out where it stands elsewhere in the form. */
  entityId?: Typed
}

/** What is needed to read one identity provider of a federation: closed, unless something stands there or is wrong. */
export function FederationFields({ signer, entityId }: FederationFieldsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(signer.value !== '')
  const hasError = Boolean(signer.error ?? entityId?.error)
  const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }
  return (
    <details className={styles.more} open={open || hasError} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('metadataOfFederation')}</summary>
      <div className={styles.moreFields}>
        {entityId && (
          <Field
            label={t('metadataEntity')}
            hint={t('metadataEntityHint')}
            optionalText={t('optional')}
            error={entityId.error}
          >
            <TextInput {...code} value={entityId.value} onChange={(event) => entityId.onChange(event.target.value)} />
          </Field>
        )}
        <Field
          label={t('metadataSigner')}
          hint={t('metadataSignerHint')}
          optionalText={t('optional')}
          error={signer.error}
        >
          <TextArea
            mono
            rows={3}
            {...code}
            value={signer.value}
            onChange={(event) => signer.onChange(event.target.value)}
          />
        </Field>
      </div>
    </details>
  )
}
