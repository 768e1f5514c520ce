import { useTranslation } from 'react-i18next'
import { type NamedRole, namedPortalRole, roleText } from '#contract/organization-roles/role-labels.ts'
import type { OwnMembership } from '#contract/session/session.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'

/** What the person is in the portal and in an organisation, beside an ordinary user of it; the account page says more. */
export function useOwnRoleNames(membership: OwnMembership | undefined): string[] {
  const { t } = useTranslation()
  const { superUser, portalRole } = useSignedIn().me
  const { userRole, roles = [], scoped = [] } = membership ?? {}
  const named: NamedRole[] = [
    ...(superUser ? [{ role: 'superUser', name: null }] : []),
    ...(portalRole ? [namedPortalRole(portalRole)] : []),
    ...(userRole === 'organizationAdmin' ? [{ role: userRole, name: null }] : []),
    ...roles,
  ]
  // The line does not say of which service or group.
  const texts = [...named.map((one) => roleText(one, t)), ...scoped.map(({ role }) => t(role))]
  return [...new Set(texts)]
}
