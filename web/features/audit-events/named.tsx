import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventLink } from '#contract/audit-events/audit-events.ts'
import { useCan } from '#web/lib/session/can.tsx'
import styles from './audit-events.module.css'
import { labelText } from './erased.ts'

interface NamedProps {
  /** As the log has it; an address for a person. */
  label: string | null
  name: string | null
  /** The thing, where it still exists. */
  link?: EventLink | null
}

/** Someone or something in the log: the name of the time, with the address below it. */
export function Named({ label, name, link = null }: NamedProps) {
  const { t } = useTranslation()
  if (label === null) return '–'
  return (
    <span className={styles.named}>
      <LinkTo link={link}>{name ?? labelText(t, label)}</LinkTo>
      {name && (
        <span className={styles.label}>
          <Address of={label} />
        </span>
      )}
    </span>
  )
}

/** The same in one line of a list: the name alone, with the address for who points at it. */
export function NamedInLine({ label, name }: Pick<NamedProps, 'label' | 'name'>) {
  const { t } = useTranslation()
  // A card of a small screen leaves the line out.
  if (label === null) return null
  return (
    <span className={styles.inLine} title={label}>
      {name ?? labelText(t, label)}
    </span>
  )
}

/** Where there is little room, an address breaks before its domain. */
function Address({ of }: { of: string }) {
  const at = Math.max(0, of.lastIndexOf('@'))
  return (
    <>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </>
  )
}

function LinkTo({ link, children }: { link: EventLink | null; children: ReactNode }) {
  const can = useCan()
  if (!link) return children
  const { kind, id } = link
  switch (kind) {
    case 'user':
      return (
        <Link
          to={can('readAllUsers') ? '/users/$accountId' : '/user-administration/$accountId'}
          params={{ accountId: id }}
        >
          {children}
        </Link>
      )
    case 'organization':
      return (
        <Link to="/organization-settings/$organizationId" params={{ organizationId: id }}>
          {children}
        </Link>
      )
    case 'service':
      if (!can('manageServices')) return children
      return (
        <Link to="/services/$serviceId" params={{ serviceId: id }}>
          {children}
        </Link>
      )
    case 'samlConfig':
      return (
        <Link to="/saml-configuration/$samlConfigId" params={{ samlConfigId: id }}>
          {children}
        </Link>
      )
  }
}
