import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import styles from './client.module.css'
import { hasSecret, secretPlaceholder, snippetsFor } from './snippets.ts'

/** What the developer of a service needs: the values, and programs that hold them. */
export function DeveloperValues({ client }: { client: ServiceClient }) {
  const { t } = useTranslation()
  const labels = { copyLabel: t('copy'), copiedLabel: t('copied') }
  if (client.clientId === null) return <Alert tone="info">{t('noClientYet')}</Alert>
  return (
    <>
      <FieldGroup legend={t('developerValues')} hint={t('developerValuesHint')}>
        <CopyField {...labels} label={t('issuer')} value={client.issuer} />
        <CopyField {...labels} label={t('clientId')} value={client.clientId} />
        <CopyField {...labels} label={t('discovery')} value={client.discovery} />
      </FieldGroup>
      <Snippets client={client} />
    </>
  )
}

function Snippets({ client }: { client: ServiceClient }) {
  const { t } = useTranslation()
  const snippets = snippetsFor(client)
  const [name, setName] = useState<string>()
  const [copied, setCopied] = useState<string>()
  const chosen = snippets.find((one) => one.name === name) ?? snippets[0]
  if (!chosen) return null
  const copy = () =>
    navigator.clipboard.writeText(chosen.text).then(
      () => setCopied(chosen.name),
      () => undefined,
    )
  const isCopied = copied === chosen.name
  return (
    <>
      <Field
        label={t('snippet')}
        hint={hasSecret(client) ? t('snippetHint', { placeholder: secretPlaceholder }) : undefined}
      >
        <Select value={chosen.name} onChange={(event) => setName(event.target.value)}>
          {snippets.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </Select>
      </Field>
      <pre className={styles.code}>{chosen.text}</pre>
      <div className={styles.actions}>
        <Button icon={isCopied ? Check : Copy} onClick={copy}>
          {t(isCopied ? 'copied' : 'copy')}
        </Button>
      </div>
    </>
  )
}
