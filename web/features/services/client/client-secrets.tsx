import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SecretState, type ServiceClient, serviceClients } from '#contract/service-clients/service-clients.ts'
import { call } from '#web/lib/requests/api.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import styles from './client.module.css'

interface ClientSecretsProps {
  serviceId: string
  client: ServiceClient
  onMade: (secret: string) => void
}

/** When a client's secrets were made and last used, and how they are changed. */
export function ClientSecrets({ serviceId, client, onMade }: ClientSecretsProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const end = useSave(serviceClients.removeSecret)
  const facts = useFacts()
  const { secret, previousSecret } = client
  if (!secret) return null
  return (
    <FieldGroup legend={t('clientSecret')}>
      <DescriptionList
        items={[
          { term: t('clientSecretPresent'), value: facts(secret) },
          ...(previousSecret ? [{ term: t('clientSecretPrevious'), value: facts(previousSecret) }] : []),
        ]}
      />
      <div className={styles.actions}>
        <Button onClick={() => setAsking(true)}>{t('makeSecret')}</Button>
        {previousSecret && (
          <Button variant="risky" loading={end.isPending} onClick={() => end.mutate({ params: { id: serviceId } })}>
            {t('endOldSecret')}
          </Button>
        )}
      </div>
      {asking && (
        <MakeSecret
          serviceId={serviceId}
          onDone={(made) => {
            setAsking(false)
            if (made) onMade(made)
          }}
        />
      )}
    </FieldGroup>
  )
}

function useFacts() {
  const { t } = useTranslation()
  const language = useLanguage()
  const moment = (at: string | null) => (at ? dateTimeText(at, language) : t('never'))
  return ({ createdAt, lastUsed, endsAt }: SecretState) =>
    [
      createdAt && `${t('secretMadeAt')}: ${moment(createdAt)}`,
      `${t('secretUsedAt')}: ${moment(lastUsed)}`,
      endsAt && `${t('secretEndsAt')}: ${moment(endsAt)}`,
    ]
      .filter((fact): fact is string => Boolean(fact))
      .map((fact) => <div key={fact}>{fact}</div>)
}

const keeps = [
  [0, 'keepNot'],
  [24, 'keepDay'],
  [168, 'keepWeek'],
  [720, 'keepMonth'],
] as const

function MakeSecret({ serviceId, onDone }: { serviceId: string; onDone: (secret?: string) => void }) {
  const { t } = useTranslation()
  const [keepHours, setKeepHours] = useState(168)
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () => call(serviceClients.createSecret, { params: { id: serviceId }, input: { keepHours } }),
    onSuccess: ({ newSecret }) => {
      void queries.invalidateQueries()
      onDone(newSecret)
    },
    meta: { inline: true },
  })
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={t('makeSecretTitle')}
      cancelLabel={t('cancel')}
      confirmLabel={t('makeSecret')}
      loading={make.isPending}
      error={
        make.error && (
          <Alert tone="danger" live="alert">
            {problemText(make.error)}
          </Alert>
        )
      }
      onCancel={() => onDone()}
      onConfirm={() => make.mutate()}
    >
      <div className={styles.secrets}>
        <p>{t('makeSecretText')}</p>
        <Field label={t('keepOldSecret')}>
          <Select value={keepHours} onChange={(event) => setKeepHours(Number(event.target.value))}>
            {keeps.map(([hours, text]) => (
              <option key={hours} value={hours}>
                {t(text)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </ConfirmDialog>
  )
}

interface NewSecretProps {
  secret: string
  onClose: () => void
  /** Where the focus goes after it: to the next step. */
  next: RefObject<HTMLElement | null>
}

/** Shows a secret, this once. */
export function NewSecret({ secret, onClose, next }: NewSecretProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      size="small"
      title={t('newSecretTitle')}
      closeLabel={t('close')}
      onClose={onClose}
      finalFocus={next}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <p>{t('newSecretText')}</p>
      <CopyField label={t('clientSecret')} value={secret} copyLabel={t('copy')} copiedLabel={t('copied')} />
    </Dialog>
  )
}
