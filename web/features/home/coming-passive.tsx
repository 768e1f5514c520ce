import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { maxCounted } from '#contract/fields/fields.ts'
import { type ComingPassiveUser, passiveUsers } from '#contract/passive-users/passive-users.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from './home.module.css'

interface ComingPassiveProps {
  /** Undefined: the whole portal. */
  organizationId: string | undefined
  count: number
}

/** Who becomes inactive next, the soonest first, each with the way to their dialog. */
export function ComingPassive({ organizationId, count }: ComingPassiveProps) {
  const { t } = useTranslation()
  const search = { query: { page: 1 } }
  const found = useQuery(
    organizationId === undefined
      ? query(passiveUsers.preview, search)
      : query(passiveUsers.previewOfOrganization, { params: { id: organizationId }, ...search }),
  )
  return (
    <div className={styles.people}>
      <Loaded
        query={found}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton count={Math.min(count, 3)} />
          </SkeletonGroup>
        }
      >
        {({ items }) => {
          // Those who are only warned in the next 30 days come last.
          const people = items.slice(0, count)
          return (
            <ul>
              {people.map((person) => (
                <PersonRow key={person.accountId} person={person} wholePortal={organizationId === undefined} />
              ))}
              {count > people.length && (
                <li>
                  {count > maxCounted ? t('todoManyMorePeople') : t('todoMorePeople', { count: count - people.length })}
                </li>
              )}
            </ul>
          )
        }}
      </Loaded>
    </div>
  )
}

function PersonRow({ person, wholePortal }: { person: ComingPassiveUser; wholePortal: boolean }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { accountId, firstName, lastName, email, passiveAt } = person
  return (
    <li>
      <Link to={wholePortal ? '/users/$accountId' : '/user-administration/$accountId'} params={{ accountId }}>
        {[firstName, lastName].filter(Boolean).join(' ') || email}
      </Link>
      <span>{t('becomesInactiveOn', { date: dayText(passiveAt, language, 'full') })}</span>
    </li>
  )
}
