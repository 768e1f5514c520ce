import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import { useTranslation } from 'react-i18next'
import type { CertificateEnd, SystemState } from '#contract/system/system.ts'
import { Day } from '#web/lib/texts/day.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'

const dayMs = 86_400_000
/** Days before its end at which a certificate is marked, as in the list of organisation sign-ins. */
export const soonDays = 60

/** Every certificate that the portal uses, the one that ends first first. */
export function CertificatesTable({ certificates }: { certificates: readonly CertificateEnd[] }) {
  const { t } = useTranslation()
  const columns: Column<CertificateEnd>[] = [
    { key: 'name', header: t('certificate'), rowHeader: true, cell: (one) => <CertificateName certificate={one} /> },
    { key: 'ends', header: t('certificateValidTo'), cell: ({ endsAt }) => <Day at={endsAt} /> },
    { key: 'left', header: t('nodeState'), cell: ({ endsAt }) => <DaysLeft endsAt={endsAt} /> },
  ]
  if (certificates.length === 0) return <EmptyState icon={BadgeCheck}>{t('noCertificates')}</EmptyState>
  return (
    <Table
      caption={t('systemCertificates')}
      columns={columns}
      rows={certificates}
      rowKey={({ kind, samlConfigId, endsAt }) => `${kind} ${samlConfigId} ${endsAt}`}
    />
  )
}

export const certificateNames = {
  samlConfig: 'certificate',
  bankid: 'certificateOfBankId',
  samlSigning: 'certificateOfSaml',
  samlEncryption: 'certificateOfSamlEncryption',
} as const

function CertificateName({ certificate: { kind, samlConfigId, name } }: { certificate: CertificateEnd }) {
  const { t } = useTranslation()
  if (kind !== 'samlConfig') return t(certificateNames[kind])
  return (
    <Link to="/saml-configuration/$samlConfigId" params={{ samlConfigId: String(samlConfigId) }}>
      {name}
    </Link>
  )
}

function DaysLeft({ endsAt }: { endsAt: string }) {
  const { t } = useTranslation()
  const days = Math.floor((Date.parse(endsAt) - Date.now()) / dayMs)
  if (days < 0) return <Badge tone="danger">{t('certificateExpired')}</Badge>
  return <Badge tone={days < soonDays ? 'warn' : 'ok'}>{t('certificateDaysLeft', { count: days })}</Badge>
}

type Key = SystemState['keys'][number]

const purposes = {
  oidcSigning: 'keyOidcSigning',
  samlSigning: 'keySamlSigning',
  samlEncryption: 'certificateOfSamlEncryption',
  auditSigning: 'keyAuditSigning',
} as const
const states = { next: 'keyNext', current: 'keyCurrent', previous: 'keyPrevious' } as const

/** The keys that sign what leaves the portal, and those that decrypt what companies send. */
export function KeysTable({ keys }: { keys: readonly Key[] }) {
  const { t } = useTranslation()
  const columns: Column<Key>[] = [
    { key: 'purpose', header: t('signingKey'), rowHeader: true, cell: ({ purpose }) => t(purposes[purpose]) },
    { key: 'state', header: t('keyState'), cell: ({ state }) => t(states[state]) },
    { key: 'since', header: t('keySince'), cell: ({ since }) => <Day at={since} /> },
  ]
  return (
    <Table
      caption={t('systemKeys')}
      columns={columns}
      rows={keys}
      rowKey={({ purpose, state, since }) => `${purpose} ${state} ${since}`}
    />
  )
}
