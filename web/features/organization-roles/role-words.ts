import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { type NamedRole, roleText } from '#contract/organization-roles/role-labels.ts'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'

const words: Readonly<Record<RolePermission, MessageKey>> = {
  readPeople: 'permissionReadPeople',
  readDetails: 'permissionReadDetails',
  invitePeople: 'permissionInvitePeople',
  helpPeople: 'permissionHelpPeople',
  editPeople: 'permissionEditPeople',
  removePeople: 'permissionRemovePeople',
  assignServices: 'permissionAssignServices',
  giveRoles: 'permissionGiveRoles',
  readAudit: 'permissionReadAudit',
  readReviews: 'permissionReadReviews',
  decideReviews: 'permissionDecideReviews',
  readSettings: 'permissionReadSettings',
  manageSettings: 'permissionManageSettings',
}

/** What a role is called, and what it allows in words. */
export function useRoleWords() {
  const { t } = useTranslation()
  return {
    nameOf: (role: NamedRole) => roleText(role, t),
    wordOf: (permission: RolePermission) => t(words[permission]),
    wordsOf: (permissions: readonly RolePermission[]) => permissions.map((one) => t(words[one])).join(' · '),
  }
}
