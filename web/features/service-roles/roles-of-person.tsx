import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OfferedRole, serviceRoles } from '#contract/service-roles/service-roles.ts'
import type { User } from '#contract/users/users.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { PersonRolesDialog } from './person-roles-dialog.tsx'
import { useRoleTexts } from './role-texts.ts'
import styles from './service-roles.module.css'

type Person = Pick<User, 'accountId' | 'services' | 'pending' | 'awaitsSignIn'>
type Assignment = User['services'][number]

/** A person's roles in those of their services that have roles; nothing where there are none. */
export function RolesOfPerson({ person }: { person: Person }) {
  const can = useCan()
  const services = person.services.filter((one) => can('handOutServiceRoles', one))
  const ids = [...new Set(services.map(({ organizationId }) => organizationId))]
  return ids.map((organizationId) => (
    <RolesIn key={organizationId} person={{ ...person, services }} organizationId={organizationId} />
  ))
}

function RolesIn({ person, organizationId }: { person: Person; organizationId: string }) {
  const { t } = useTranslation()
  const textsOf = useRoleTexts()
  const { accountId: userId } = person
  const language = useLanguage()
  const [open, setOpen] = useState<Assignment>()
  const offered = useQuery(query(serviceRoles.ofOrganization, { params: { organizationId } })).data
  const rolesOf = ({ serviceId }: Assignment): OfferedRole[] =>
    offered?.filter((role) => role.serviceId === serviceId) ?? []
  const services = person.services.filter((one) => one.organizationId === organizationId && rolesOf(one).length > 0)
  const held = useQuery({
    ...query(serviceRoles.ofPerson, { params: { userId, organizationId } }),
    enabled: services.length > 0,
  }).data
  if (services.length === 0 || !held) return null
  const heldIds = new Set(held.map(({ roleId }) => roleId))
  const withDays = (name: string, { validFrom, validUntil }: Partial<(typeof held)[number]> = {}) => {
    const days = [
      validFrom && dayText(validFrom, language, 'full'),
      '–',
      validUntil && dayText(validUntil, language, 'full'),
    ]
    return validFrom || validUntil ? `${name} (${days.filter(Boolean).join(' ')})` : name
  }
  return (
    <FieldGroup legend={t('serviceRoles')}>
      <ul className={styles.list}>
        {services.map((service) => (
          <li key={service.serviceId} className={styles.summary}>
            <span>
              {service.name}
              <br />
              <span className={styles.quiet}>
                {rolesOf(service)
                  .filter(({ roleId }) => heldIds.has(roleId))
                  .map((role) =>
                    withDays(
                      textsOf(role).name,
                      held.find(({ roleId }) => roleId === role.roleId),
                    ),
                  )
                  .join(', ') || t('noServiceRoles')}
              </span>
            </span>
            <Button
              size="small"
              aria-label={t('rolesInServiceNamed', { name: service.name, organization: service.organizationName })}
              onClick={() => setOpen(service)}
            >
              {t('changeServiceRoles')}
            </Button>
          </li>
        ))}
      </ul>
      {open && (
        <PersonRolesDialog
          holder={{ userId, organizationId, serviceId: open.serviceId }}
          title={t('rolesInServiceNamed', { name: open.name, organization: open.organizationName })}
          roles={rolesOf(open)}
          held={held}
          invited={person.pending && !person.awaitsSignIn}
          onClose={() => setOpen(undefined)}
        />
      )}
    </FieldGroup>
  )
}
