import { useTranslation } from 'react-i18next'
import { roleText } from '#contract/organization-roles/role-labels.ts'
import { portalRoleLabels } from '#contract/portal-roles.ts'
import type { OwnMembership } from '#contract/session/session.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'

/** What the person is in the portal and in an organisation, beside an ordinary user of it; the account page says more. */
export function useOwnRoleNames(membership: OwnMembership | undefined): string[] {
  const { t } = useTranslation()
  const { superUser, portalRole } = useSignedIn().me
  const { userRole, roles = [], scoped = [] } = membership ?? {}
  return [
    ...(superUser ? [t('superUser')] : []),
    ...(portalRole ? [t(portalRoleLabels[portalRole])] : []),
    ...(userRole === 'organizationAdmin' ? [t('organizationAdmin')] : []),
    ...roles.map((role) => roleText(role, t)),
    ...[...new Set(scoped.map(({ role }) => role))].map((role) => t(role)),
  ]
}
