import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#contract/session/session.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Button } from '#web/ui/button.tsx'
import { MoreRolesDialog } from './more-roles-dialog.tsx'
import styles from './organization-roles.module.css'
import { useRoleWords } from './role-words.ts'

interface MoreRolesProps {
  person: { accountId: string; name: string; organizations: readonly Membership[] }
}

/** A person's roles beside the admin role: folded away where there are none, and for who may not give any, absent. */
export function MoreRoles({ person }: MoreRolesProps) {
  return person.organizations.map((place) => <RolesIn key={place.organizationId} person={person} place={place} />)
}

function RolesIn({ person, place }: MoreRolesProps & { place: Membership }) {
  const { t } = useTranslation()
  const can = useCan()
  const { nameOf } = useRoleWords()
  const [open, setOpen] = useState(false)
  const { roles = [], name } = place
  const gives = can('giveRoles', place)
  const [shown, setShown] = useState(roles.length > 0)
  if (!gives && roles.length === 0) return null
  return (
    <details className={styles.more} open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{person.organizations.length > 1 ? t('rolesInOrganization', { name }) : t('moreRoles')}</summary>
      <div className={styles.summary}>
        <span>{roles.map(nameOf).join(', ') || t('noMoreRoles')}</span>
        {gives && (
          <Button
            size="small"
            aria-label={t('moreRolesNamed', { person: person.name, name })}
            onClick={() => setOpen(true)}
          >
            {t('changeMoreRoles')}
          </Button>
        )}
      </div>
      {open && <MoreRolesDialog person={person} place={place} onClose={() => setOpen(false)} />}
    </details>
  )
}
