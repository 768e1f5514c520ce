import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { groups } from '#contract/groups/groups.ts'
import type { User } from '#contract/users/users.ts'
import { query } from '#web/lib/requests/query.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { sourceTexts } from './group-texts.ts'
import styles from './groups.module.css'
import { TakeOut } from './take-out.tsx'
import { useGroups } from './use-groups.ts'
import { useServiceNames } from './use-service-names.ts'

type Person = Pick<User, 'accountId' | 'email' | 'firstName' | 'lastName' | 'organizations'>

/** A person's groups, with what comes by each and the way out of it; nothing where an organisation uses no groups. */
export function GroupsOfPerson({ person }: { person: Person }) {
  return person.organizations.map(({ organizationId }) => (
    <GroupsIn key={organizationId} person={person} organizationId={organizationId} />
  ))
}

function GroupsIn({ person, organizationId }: { person: Person; organizationId: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const inUse = useGroups(organizationId).length > 0
  const nameOf = useServiceNames(organizationId)
  const params = { userId: person.accountId, organizationId }
  const own = useQuery({ ...query(groups.ofPerson, { params }), enabled: inUse }).data
  if (!inUse || !own || own.length === 0) return null
  return (
    <FieldGroup legend={t('groups')}>
      <ul className={styles.choices}>
        {own.map((group) => (
          <li key={group.groupId} className={styles.summary}>
            <span className={styles.name}>
              <Link to="/groups/$groupId" params={{ groupId: group.groupId }}>
                {group.name}
              </Link>
              <span className={styles.quiet}>
                {[
                  group.sources.map((source) => t(sourceTexts[source])).join(', '),
                  group.serviceIds.length > 0 &&
                    t('groupGives', { names: group.serviceIds.map((serviceId) => nameOf({ serviceId })).join(', ') }),
                  group.validUntil && t('endsOn', { day: dayText(group.validUntil, language, 'full') }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {group.waitsFor.length > 0 && (
                <Badge tone="warn">{t('waitsForSeat', { names: group.waitsFor.join(', ') })}</Badge>
              )}
            </span>
            <TakeOut group={group} person={{ ...person, sources: group.sources }} wide />
          </li>
        ))}
      </ul>
    </FieldGroup>
  )
}
