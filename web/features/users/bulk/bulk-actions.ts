import CalendarPlus from 'lucide-react/icons/calendar-plus'
import MinusCircle from 'lucide-react/icons/circle-minus'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import MailPlus from 'lucide-react/icons/mail-plus'
import UserCheck from 'lucide-react/icons/user-check'
import UserMinus from 'lucide-react/icons/user-minus'
import UserRoundMinus from 'lucide-react/icons/user-round-minus'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { groups, maxGroupPeople } from '#contract/groups/groups.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Permission } from '#contract/permissions.ts'
import { type BulkRow, bulkUsers, maxBulkUsers } from '#contract/users/bulk-users.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'

/** What can be done with a selection. */
export const bulkActions = {
  resendInvitations: { permission: 'resendInvitations', label: 'bulkResendInvitations', icon: MailPlus },
  markActive: { permission: 'helpPeople', label: 'updateLastActive', icon: UserCheck },
  assignService: {
    permission: 'assignServices',
    label: 'bulkAssignService',
    icon: LayoutGrid,
    ofOrganization: true,
    needsService: true,
  },
  revokeService: {
    ...{
      permission: 'assignServices',
      label: 'bulkRevokeService',
      icon: MinusCircle,
      ofOrganization: true,
      needsService: true,
    },
    takesAway: true,
  },
  extend: { permission: 'editPeople', label: 'extendAccess', icon: CalendarPlus, ofOrganization: true },
  assignRole: {
    permission: 'assignServices',
    label: 'bulkAssignRole',
    icon: KeyRound,
    ofOrganization: true,
    needsRole: true,
  },
  revokeRole: {
    ...{ permission: 'assignServices', label: 'bulkRevokeRole', icon: KeyRound, ofOrganization: true, needsRole: true },
    takesAway: true,
  },
  remove: {
    permission: 'removePeople',
    label: 'removeFromOrganization',
    icon: UserMinus,
    ofOrganization: true,
    danger: true,
    takesAway: true,
  },
  joinGroup: {
    permission: 'manageGroups',
    label: 'bulkJoinGroup',
    icon: UserRoundPlus,
    ofOrganization: true,
    needsGroup: true,
  },
  leaveGroup: {
    ...{
      permission: 'manageGroups',
      label: 'bulkLeaveGroup',
      icon: UserRoundMinus,
      ofOrganization: true,
      needsGroup: true,
    },
    takesAway: true,
  },
} as const satisfies Record<
  keyof typeof bulkUsers | 'joinGroup' | 'leaveGroup',
  {
    permission: Permission
    label: MessageKey
    icon: unknown
    ofOrganization?: true
    needsService?: true
    needsRole?: true
    needsGroup?: true
    danger?: true
    takesAway?: true
  }
>
export type BulkActionName = keyof typeof bulkActions

export interface BulkRequest {
  action: BulkActionName
  /** Undefined for people of any organisation. */
  organizationId: string | undefined
  serviceId: string | undefined
  roleId: string | undefined
  groupId: string | undefined
  accountIds: readonly string[]
}

/**
 * Sends the selection, a hundred people at a time, or a thousand that a group gets or loses. A call that fails is an answer for its people, too: those before it
 * keep theirs.
 */
export async function sendBulk(request: BulkRequest, { dryRun }: { dryRun: boolean }): Promise<BulkRow[]> {
  const rows: BulkRow[] = []
  const atOnce = 'needsGroup' in bulkActions[request.action] ? maxGroupPeople : maxBulkUsers
  for (let from = 0; from < request.accountIds.length; from += atOnce) {
    const accountIds = request.accountIds.slice(from, from + atOnce)
    try {
      rows.push(...(await sendPart({ ...request, accountIds }, dryRun)))
    } catch (error) {
      if (dryRun || !(error instanceof ApiProblem)) throw error
      rows.push(...accountIds.map((accountId) => ({ accountId, outcome: 'failed' as const, reason: error.message })))
    }
  }
  return rows
}

async function sendPart(
  { action, organizationId = '-', serviceId = '', roleId = '', groupId = '', accountIds }: BulkRequest,
  dryRun: boolean,
) {
  const params = { id: organizationId }
  const input = { accountIds: [...accountIds], dryRun }
  const withService = { ...input, serviceId }
  const withRole = { ...input, roleId }
  switch (action) {
    case 'assignService':
      return (await call(bulkUsers.assignService, { params, input: withService })).rows
    case 'revokeService':
      return (await call(bulkUsers.revokeService, { params, input: withService })).rows
    case 'assignRole':
      return (await call(bulkUsers.assignRole, { params, input: withRole })).rows
    case 'revokeRole':
      return (await call(bulkUsers.revokeRole, { params, input: withRole })).rows
    case 'joinGroup':
      return (await call(groups.put, { params: { id: groupId }, input })).rows
    case 'leaveGroup':
      return (await call(groups.take, { params: { id: groupId }, input })).rows
    default:
      return (await call(bulkUsers[action], { params, input })).rows
  }
}
