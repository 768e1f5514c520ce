import { useQuery } from '@tanstack/react-query'
import Building2 from 'lucide-react/icons/building-complex'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { roleText } from '#contract/organization-roles/role-labels.ts'
import { type OwnPlace, type OwnRole, ownRoles } from '#contract/profile/own-roles.ts'
import { useRoleName } from '#web/features/service-roles/service-roles.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { dayText, todayInSweden } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Card } from '#web/ui/frame/page.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '#web/ui/things.module.css'
import own from './account.module.css'
import { HeldBack } from './held-back.tsx'

/** What the person is, in the portal and in each organisation, and until when; also where this sign-in is not enough. */
export function OwnRoles() {
  const { t } = useTranslation()
  const title = useId()
  const { me, organizations, heldBack } = useSignedIn()
  const roles = useQuery(query(ownRoles.read))
  const nowhere = organizations?.length === 0 && heldBack.length === 0
  // Only the answer knows of a role in the portal that is still to come.
  const inPortal = roles.data ? roles.data.portal.length > 0 : me.superUser || me.portalRole !== null
  if (nowhere && !inPortal) return null
  return (
    <Card>
      <section className={styles.section} aria-labelledby={title}>
        <div className={styles.heading}>
          <h2 id={title}>{t('ownRoles')}</h2>
          {!nowhere && <p>{t('ownRolesText')}</p>}
        </div>
        <Loaded query={roles} skeleton={<RolesSkeleton />}>
          {({ portal, organizations }) => (
            <ul>
              {portal.length > 0 && <Place name={t('thePortal')} roles={portal} />}
              {organizations.map((one) => (
                <Place key={one.organizationId} {...one} />
              ))}
              {heldBack.map((one) => (
                <HeldBack key={one.organizationId} organization={one} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
    </Card>
  )
}

/** The portal has no services, and no membership that could end. */
type PlaceProps = Pick<OwnPlace, 'name' | 'roles'> & Partial<OwnPlace>

/** An organisation with what the person has in it, each with its days. */
function Place({ name, endsOn = null, roles, services = [] }: PlaceProps) {
  const { t } = useTranslation()
  const nameOf = useRoleName()
  const daysOf = useDays()
  // What ends with the membership, or after it, is not said again.
  const within = (day: string | null) => (endsOn && day && day >= endsOn ? null : day)
  const lines: Line[] = [
    ...(endsOn ? [{ id: 'membership', what: t('membership'), validUntil: endsOn }] : []),
    // Services of one name give equal texts.
    ...roles.map((role, place) => ({
      ...role,
      id: `${role.role} ${place}`,
      what: roleText(role, t),
      validUntil: within(role.validUntil),
    })),
    ...services.flatMap((service) =>
      service.roles.map((role) => ({
        id: `${service.serviceId} ${role.roleId}`,
        what: `${service.name}: ${nameOf(role)}`,
        validUntil: within(role.validUntil ?? service.endsOn),
      })),
    ),
    ...services.flatMap(({ serviceId: id, name: what, endsOn: validUntil, roles: { length } }) =>
      length === 0 ? [{ id, what, validUntil }] : [],
    ),
  ]
  return (
    <li className={styles.row}>
      <Icon of={Building2} size={20} />
      <div className={styles.about}>
        <p className={styles.name}>{name}</p>
        <ul className={own.roles}>
          {lines.map((line) => (
            <li key={line.id}>
              {line.what} <span className={own.days}>{daysOf(line)}</span>
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}

type Line = Partial<Pick<OwnRole, 'validFrom'>> & Pick<OwnRole, 'validUntil'> & { id: string; what: string }

/** The last day, and the first one while it is to come. */
function useDays() {
  const { t } = useTranslation()
  const language = useLanguage()
  const day = (date: string) => dayText(date, language, 'full')
  return ({ validFrom, validUntil }: Line) =>
    [
      validFrom && validFrom > todayInSweden() && t('beginsOn', { day: day(validFrom) }),
      validUntil && t('endsOn', { day: day(validUntil) }),
    ]
      .filter(Boolean)
      .join(' · ')
}

function RolesSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={2} />
    </SkeletonGroup>
  )
}
