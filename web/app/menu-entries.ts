import type { LinkProps } from '@tanstack/react-router'
import type { MessageKey } from '#contract/message-key.ts'
import type { Permission } from '#contract/permissions.ts'

export interface MenuEntry {
  to: NonNullable<LinkProps['to']>
  label: MessageKey
  /** In the bar itself, in its Administration menu, or in the account menu. */
  place: 'bar' | 'administration' | 'account'
  /** Who sees it; everybody unless it says so. */
  permission?: Permission
}

/** Every link of the header, in its order. A screen that has none is reached from another screen. */
export const menuEntries: readonly MenuEntry[] = [
  { to: '/', label: 'overview', place: 'bar' },
  { to: '/user-administration', label: 'userAdministration', place: 'bar', permission: 'administerColleagues' },
  {
    to: '/organization-settings',
    label: 'organizations',
    place: 'administration',
    permission: 'manageOrganizations',
  },
  { to: '/services', label: 'services', place: 'administration', permission: 'manageServices' },
  { to: '/users', label: 'users', place: 'administration', permission: 'manageUsers' },
  { to: '/account', label: 'accountSettings', place: 'account' },
]
