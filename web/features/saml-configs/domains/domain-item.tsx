import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { type SamlDomain, samlDomains } from '#contract/saml-configs/saml-domains.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { messageText, useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { ConfirmDomainDialog } from './confirm-domain-dialog.tsx'
import styles from './domains.module.css'

interface DomainItemProps {
  params: { id: string }
  of: SamlDomain
}

const states = {
  dns: { tone: 'ok', label: 'domainProvenByDns' },
  confirmed: { tone: 'ok', label: 'domainConfirmed' },
  waiting: { tone: 'warn', label: 'domainWaiting' },
} as const satisfies Record<string, { tone: 'ok' | 'warn'; label: MessageKey }>

export function DomainItem({ params, of }: DomainItemProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { domain, proof, provenAt, reason } = of
  const { tone, label } = states[proof ?? 'waiting']
  return (
    <li className={styles.item}>
      <div className={styles.heading}>
        <strong className={styles.name}>{domain}</strong>
        <Badge tone={tone}>{t(label)}</Badge>
      </div>
      {provenAt && (
        <p className={styles.note}>
          {t('domainSince', { time: dateTimeText(provenAt, language) })}
          {reason !== null && ` ${t('domainReason', { reason })}`}
        </p>
      )}
      {proof === null && <Proof params={params} of={of} />}
      <div className={styles.actions}>
        {proof === null && <Check params={params} domain={domain} />}
        <Remove params={params} of={of} />
      </div>
    </li>
  )
}

/** The record that the company's DNS has to have. */
function Proof({ of: { recordName, recordValue } }: DomainItemProps) {
  const { t } = useTranslation()
  const labels = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <>
      <p className={styles.note}>{t('domainProofHint')}</p>
      <CopyField {...labels} label={t('domainRecordName')} value={recordName} />
      <CopyField {...labels} label={t('domainRecordValue')} value={recordValue} />
    </>
  )
}

function Check({ params, domain }: { params: { id: string }; domain: string }) {
  const { t } = useTranslation()
  const [confirming, setConfirming] = useState(false)
  const check = useSave(samlDomains.check, { inline: true })
  const { error } = check
  const issue = error instanceof ApiProblem ? error.issues[0]?.message : undefined
  return (
    <>
      {error && (
        <div className={styles.problem}>
          <Alert tone="warn" live="alert">
            {issue ? messageText(issue) : problemText(error)}
          </Alert>
        </div>
      )}
      <Button
        loading={check.isPending}
        onClick={() =>
          check.mutate(
            { params, input: { domain } },
            { onSuccess: () => toasts.show({ tone: 'success', title: t('domainIsProven', { domain }) }) },
          )
        }
      >
        {t('domainCheck')}
      </Button>
      <Button variant="ghost" onClick={() => setConfirming(true)}>
        {t('domainConfirm')}
      </Button>
      {confirming && <ConfirmDomainDialog params={params} domain={domain} onClose={() => setConfirming(false)} />}
    </>
  )
}

/** A domain that counts is removed after a question. */
function Remove({ params, of: { domain, proof } }: DomainItemProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const remove = useSave(samlDomains.remove)
  const confirm = () => remove.mutate({ params, input: { domain } }, { onSettled: () => setAsking(false) })
  return (
    <>
      <Button variant="ghost" onClick={() => (proof === null ? confirm() : setAsking(true))}>
        {t('remove')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('removeDomainTitle', { domain })}
        cancelLabel={t('cancel')}
        confirmLabel={t('remove')}
        loading={remove.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
      >
        {t('removeDomainText')}
      </ConfirmDialog>
    </>
  )
}
