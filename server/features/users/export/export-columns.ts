import { loginMethods } from '#contract/login-methods.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { builtInRoleLabels } from '#contract/organization-roles/role-labels.ts'
import { isBuiltIn } from '#contract/organization-roles/role-permissions.ts'
import { portalRoleLabels } from '#contract/portal-roles.ts'
import type { Language } from '#contract/roles.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { translate } from '#server/platform/messages/texts.ts'

/** Somebody in a list, with the keys of their roles in each service. */
export interface ExportedPerson extends UserSummary {
  rolesIn: ReadonlyMap<string, readonly string[]>
}

interface ExportColumn {
  header: string
  cell: (person: ExportedPerson) => string | null
}

const inSweden = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Stockholm',
})
const daysInSweden = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Stockholm' })

/** The columns of the file, in the reader's language. The first five are those of an import, which can read it again. */
export function exportColumns(
  language: Language,
  shown: { withGroups: boolean; withRoles: boolean; organizationId: string | undefined },
): ExportColumn[] {
  const { withGroups, withRoles } = shown
  const t = (key: MessageKey) => translate(language, key)
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(' | ')
  const servicesOf = ({ services, rolesIn }: ExportedPerson) =>
    services
      .map(({ serviceId, name }) => {
        const keys = rolesIn.get(serviceId) ?? []
        return keys.length > 0 ? `${name} [${keys.join(', ')}]` : name
      })
      .join(' | ')
  const role = ({ superUser, portalRole, organizations }: UserSummary): MessageKey =>
    superUser
      ? 'superUser'
      : portalRole
        ? portalRoleLabels[portalRole]
        : organizations.some(({ userRole }) => userRole === 'organizationAdmin')
          ? 'roleOrganizationAdmin'
          : 'roleRegular'
  const moreRoles = ({ organizations }: UserSummary) =>
    names(
      organizations
        .filter((one) => !shown.organizationId || one.organizationId === shown.organizationId)
        .flatMap(({ roles = [] }) => roles)
        .map(({ role, name }) => ({ name: name ?? (isBuiltIn(role) ? t(builtInRoleLabels[role]) : role) })),
    )
  const status = ({ passive, awaitsSignIn, pending }: UserSummary): MessageKey =>
    passive ? 'passive' : awaitsSignIn ? 'awaitsSignIn' : pending ? 'pending' : 'statusActive'
  return [
    { header: t('email'), cell: ({ email }) => email },
    { header: t('firstName'), cell: ({ firstName }) => firstName },
    { header: t('lastName'), cell: ({ lastName }) => lastName },
    { header: t('services'), cell: servicesOf },
    { header: t('role'), cell: (person) => t(role(person)) },
    { header: t('userStatus'), cell: (person) => t(status(person)) },
    { header: t('loginMethod'), cell: ({ loginMethod }) => loginMethod && t(loginMethods[loginMethod].label) },
    { header: t('phoneNumber'), cell: ({ phoneNumber }) => phoneNumber },
    { header: t('organizations'), cell: ({ organizations }) => names(organizations) },
    ...(withGroups ? [{ header: t('groups'), cell: ({ groups }: UserSummary) => names(groups) }] : []),
    ...(withRoles ? [{ header: t('moreRoles'), cell: moreRoles }] : []),
    { header: t('lastDay'), cell: ({ endsOn }) => endsOn },
    { header: t('lastActive'), cell: ({ lastActive }) => lastActive && inSweden.format(new Date(lastActive)) },
  ]
}

/** "Users Nordvik AB 2026-11-22.csv", without what file systems refuse. */
export const fileNameOf = (language: Language, organization: string | undefined, now: Date): string =>
  `${[translate(language, 'users'), organization, daysInSweden.format(now)].filter(Boolean).join(' ')}.csv`.replaceAll(
    /[\p{Cc}<>:"/\\|?*]/gu,
    '-',
  )
