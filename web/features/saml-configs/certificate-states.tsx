import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { type CertificateState, certificateText, type SamlConfigDetails, samlConfigs } from '#contract/saml-configs.ts'
import { call } from '#web/lib/api.ts'
import { dateTimeText } from '#web/lib/dates.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import styles from './saml-configs.module.css'

const looks = {
  valid: { tone: 'ok', text: 'certificateValid' },
  endsSoon: { tone: 'warn', text: 'certificateEndsSoon' },
  expired: { tone: 'danger', text: 'certificateExpired' },
  notYetValid: { tone: 'warn', text: 'certificateNotYetValid' },
  weakKey: { tone: 'danger', text: 'certificateWeakKey' },
  unreadable: { tone: 'danger', text: 'certificateUnreadable' },
} as const satisfies Record<CertificateState['status'], { tone: string; text: MessageKey }>

interface CertificateStatesProps {
  /** As it stands in the field. */
  text: string
  saved: SamlConfigDetails | undefined
}

/** What the server reads in the certificates of the field, a moment after the last key. */
export function CertificateStates({ text, saved }: CertificateStatesProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const certificate = useSettled(text.trim())
  // A text that the form refuses, such as a private key, is not sent.
  const sendable = certificateText.safeParse(certificate).success
  const { data = [] } = useQuery({
    queryKey: [samlConfigs.checkCertificates.url, certificate],
    queryFn: ({ signal }) => call(samlConfigs.checkCertificates, { input: { certificate }, signal }),
    enabled: sendable,
    staleTime: Number.POSITIVE_INFINITY,
    initialData: certificate === saved?.certificate ? saved.certificates : undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <div aria-live="polite" className={styles.states}>
      {sendable &&
        data.map(({ status, subject, fingerprint, validTo }, at) => (
          <div key={fingerprint ?? `unreadable ${at}`} className={styles.state}>
            <Badge tone={looks[status].tone}>{t(looks[status].text)}</Badge>
            {fingerprint && (
              <DescriptionList
                items={[
                  { term: t('certificateSubject'), value: subject || '–' },
                  { term: t('certificateValidTo'), value: validTo && dateTimeText(validTo, language) },
                  {
                    term: t('certificateFingerprint'),
                    value: <span className={styles.fingerprint}>{fingerprint}</span>,
                  },
                ]}
              />
            )}
          </div>
        ))}
    </div>
  )
}

const pause = 400

/** The value, once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
