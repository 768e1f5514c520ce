import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { endsOfPeople, type WhatEnds } from '#contract/users/what-ends.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Alert } from '#web/ui/alert.tsx'
import styles from './organization-roles.module.css'

export interface MadeThingsProps {
  accountId: string
  /** Where the person loses a role; undefined: everywhere, which super users may know. */
  organizationId?: string | undefined
  /** Where several people lose something. */
  name?: string | undefined
}

/** What somebody has made that loses its right with theirs. Nothing for who may not know, and where there is nothing. */
export function MadeThings({ accountId, organizationId, name }: MadeThingsProps) {
  const can = useCan()
  const { data: everywhere } = useQuery({
    ...freshQuery(endsOfPeople.everywhere, { params: { id: accountId } }),
    enabled: organizationId === undefined && can('manageUsers'),
  })
  const { data: there } = useQuery({
    ...freshQuery(endsOfPeople.inOrganization, { params: { userId: accountId, organizationId: organizationId ?? '' } }),
    enabled: organizationId !== undefined && can('administerOrganization', { organizationId }),
  })
  const ends = organizationId === undefined ? everywhere : there
  return ends ? <Ends ends={ends} name={name} /> : null
}

function Ends({ ends: { organizations, streams, clients }, name }: { ends: WhatEnds; name: string | undefined }) {
  const { t } = useTranslation()
  const named = (title: string) => (name ? `${name}: ${title}` : title)
  const ofPortal = [
    ...(streams.length > 0 ? [t('endsStreams', { names: streams.join(', ') })] : []),
    ...(clients.length > 0 ? [t('endsClients', { names: clients.join(', ') })] : []),
  ]
  if (organizations.length + ofPortal.length === 0) return null
  return (
    <div className={styles.made}>
      {organizations.map((one) => (
        <Affected key={one.name} title={named(t('whatTheyMadeIn', { organization: one.name }))} of={linesOf(t, one)} />
      ))}
      {ofPortal.length > 0 && <Affected title={named(t('whatTheyMade'))} of={ofPortal} />}
    </div>
  )
}

const linesOf = (
  t: TFunction,
  { tokens, setupLinks, invitations, otherInvitations, directoryGroups }: WhatEnds['organizations'][number],
) => [
  ...(tokens.length > 0 ? [t('endsTokens', { names: tokens.join(', ') })] : []),
  ...(setupLinks > 0 ? [t('endsSetupLinks', { count: setupLinks })] : []),
  ...(invitations > 0 ? [t('endsInvitations', { count: invitations })] : []),
  ...(otherInvitations > 0 ? [t('staysInvitations', { count: otherInvitations })] : []),
  ...(directoryGroups.length > 0 ? [t('endsDirectoryGroups', { names: directoryGroups.join(', ') })] : []),
]

function Affected({ title, of }: { title: string; of: readonly string[] }) {
  return (
    <Alert tone="warn" title={title}>
      <ul className={styles.affected}>
        {of.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  )
}
