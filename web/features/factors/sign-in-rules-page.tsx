import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type OrganizationRules, signInRulesCalls } from '#contract/factors/organization-rules.ts'
import { OrganizationBadge } from '#web/lib/organization-badge.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { WayBack } from '#web/lib/way-back.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from './factors.module.css'
import { RuleList } from './rules-in-words.tsx'
import { SignInRulesForm } from './sign-in-rules-form.tsx'

const page = getRouteApi('/sign-in-rules/$organizationId')

/** The rules of an organisation for the sign-in of its people, and which admins lack a key. */
export function SignInRulesPage() {
  const { t } = useTranslation()
  const { organizationId } = page.useParams()
  const changes = useCan()('manageSettings', { organizationId })
  const rules = useQuery(freshQuery(signInRulesCalls.read, { params: { id: organizationId } }))
  return (
    <>
      <PageHeading
        title={t('signInRules')}
        beside={<OrganizationBadge organizationId={organizationId} />}
        subtitle={t('signInRulesText')}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <WayBack home="/my-organization" organizationId={organizationId} />
            <span aria-current="page">{t('signInRules')}</span>
          </Breadcrumb>
        }
      />
      <Loaded query={rules} skeleton={<RulesSkeleton />}>
        {(loaded) => (
          <>
            <Card narrow>
              {changes ? <SignInRulesForm key={organizationId} rules={loaded} /> : <RulesToRead rules={loaded} />}
            </Card>
            <Card narrow>
              <AdminsWithoutKey admins={loaded.adminsWithoutKey} />
            </Card>
            <Card narrow>
              <PeopleByMailAlone count={loaded.peopleByMailAlone} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}

/** For those who read settings and change none. */
function RulesToRead({ rules }: { rules: OrganizationRules }) {
  const { t } = useTranslation()
  const isSet = [rules.secondFactors, rules.strongAdminsFrom, rules.sessionIdleMinutes, rules.sessionMaxHours]
  if ([...isSet, rules.maxPasswordAgeDays].every((rule) => rule === null)) return <p>{t('signInRulesNone')}</p>
  return <RuleList rule={{ ...rules, isAdmin: true }} />
}

function AdminsWithoutKey({ admins }: { admins: OrganizationRules['adminsWithoutKey'] }) {
  const { t } = useTranslation()
  return (
    <section className={styles.rules}>
      <h2>{t('adminsWithoutKey')}</h2>
      {admins.length === 0 ? (
        <p>{t('adminsAllHaveKey')}</p>
      ) : (
        <ul>
          {admins.map(({ accountId, name, email }) => (
            <li key={accountId}>{name ? `${name}, ${email}` : email}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function PeopleByMailAlone({ count }: { count: number }) {
  const { t } = useTranslation()
  return (
    <section className={styles.rules}>
      <h2>{t('peopleByMailAlone')}</h2>
      <p>{count === 0 ? t('peopleByMailAloneNone') : t('peopleByMailAloneText', { count })}</p>
    </section>
  )
}

function RulesSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={12} />
    </SkeletonGroup>
  )
}
