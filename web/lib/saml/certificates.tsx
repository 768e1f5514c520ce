import type { Language } from '#contract/languages.ts'
import type { CertificateState } from '#contract/saml-configs/saml-certificates.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import styles from './certificates.module.css'
import type { SamlTextKey, SaySaml } from './saml-texts.ts'

const looks = {
  valid: { tone: 'ok', text: 'certificateValid' },
  endsSoon: { tone: 'warn', text: 'certificateEndsSoon' },
  expired: { tone: 'danger', text: 'certificateExpired' },
  notYetValid: { tone: 'warn', text: 'certificateNotYetValid' },
  weakKey: { tone: 'danger', text: 'certificateWeakKey' },
  unreadable: { tone: 'danger', text: 'certificateUnreadable' },
} as const satisfies Record<CertificateState['status'], { tone: string; text: SamlTextKey }>

interface CertificatesProps {
  states: readonly CertificateState[]
  say: SaySaml
  language: Language
}

/** What can be said about certificates: whose they are, and until when. */
export function Certificates({ states, say, language }: CertificatesProps) {
  return states.map(({ status, subject, fingerprint, validTo }, at) => (
    <div key={fingerprint ?? `unreadable ${at}`} className={styles.state}>
      <Badge tone={looks[status].tone}>{say(looks[status].text)}</Badge>
      {fingerprint && (
        <DescriptionList
          items={[
            { term: say('certificateSubject'), value: subject || '–' },
            { term: say('certificateValidTo'), value: validTo && dateTimeText(validTo, language) },
            {
              term: say('certificateFingerprint'),
              value: <span className={styles.fingerprint}>{fingerprint}</span>,
            },
          ]}
        />
      )}
    </div>
  ))
}
