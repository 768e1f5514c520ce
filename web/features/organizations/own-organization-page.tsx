import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { NoAccess } from '#web/lib/session/no-access.tsx'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'
import styles from '#web/ui/things.module.css'

const parts = [
  {
    to: '/sign-in-rules/$organizationId',
    title: 'signInRules',
    text: 'ownOrganizationRulesText',
    permission: 'readSettings',
  },
  {
    to: '/organization-brand/$organizationId',
    title: 'organizationBrand',
    text: 'ownOrganizationBrandText',
    permission: 'readSettings',
  },
  {
    to: '/roles/$organizationId',
    title: 'organizationRoles',
    text: 'organizationRolesText',
    permission: 'readPeople',
  },
  {
    to: '/organization-directory/$organizationId',
    title: 'organizationDirectory',
    text: 'organizationDirectoryText',
    permission: 'administerOrganization',
  },
  { to: '/groups', title: 'groups', text: 'groupsText', permission: 'manageGroups' },
  { to: '/access-review', title: 'accessReview', text: 'ownOrganizationReviewText', permission: 'readReviews' },
] as const satisfies readonly { to: string; title: MessageKey; text: MessageKey; permission: string }[]

/** The settings of the chosen organisation, each on a page of its own. */
export function OwnOrganizationPage() {
  const { t } = useTranslation()
  const can = useCan()
  const { settled } = useSignedIn()
  const { membership } = useCurrentOrganization()
  const shown = membership ? parts.filter(({ permission }) => can(permission, membership)) : []
  if (shown.length === 0) return settled ? <NoAccess /> : null
  return (
    <>
      <PageHeading title={t('ownOrganization')} beside={membership && <Badge>{membership.name}</Badge>} />
      <Card narrow>
        <ul className={styles.alone}>
          {shown.map(({ to, title, text }) => (
            <li key={to} className={styles.row}>
              <div className={styles.about}>
                <Link to={to} params={{ organizationId: membership?.organizationId ?? '' }} className={styles.name}>
                  {t(title)}
                </Link>
                <span className={styles.facts}>{t(text)}</span>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
