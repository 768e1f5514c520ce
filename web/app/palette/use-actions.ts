import type { NavigateOptions } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import Building2 from 'lucide-react/icons/building-complex'
import Languages from 'lucide-react/icons/languages'
import LogOut from 'lucide-react/icons/log-out'
import Plus from 'lucide-react/icons/plus'
import SunMoon from 'lucide-react/icons/sun-moon'
import UserPlus from 'lucide-react/icons/user-plus'
import Users from 'lucide-react/icons/users'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { Permission } from '#contract/permissions.ts'
import { useCan } from '#web/lib/can.tsx'
import { storeOrganization } from '#web/lib/current-organization.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/signed-in.tsx'
import { signOut } from '../sign-out.tsx'
import { useAppearance } from '../use-appearance.ts'
import type { PaletteCommand } from './palette-command.ts'
import { useGo } from './use-go.ts'

interface Creation {
  to: NonNullable<NavigateOptions['to']>
  pageBelow: string
  label: MessageKey
  icon: LucideIcon
  permission: Permission
}

const creations: readonly Creation[] = [
  {
    to: '/organization-settings/create',
    pageBelow: '/organization-settings',
    label: 'createOrganization',
    icon: Plus,
    permission: 'manageOrganizations',
  },
  {
    to: '/services/create',
    pageBelow: '/services',
    label: 'createService',
    icon: Plus,
    permission: 'manageServices',
  },
  { to: '/users/create-user', pageBelow: '/users', label: 'createUser', icon: Plus, permission: 'manageUsers' },
]

/** Everything that this person can do from anywhere. */
export function useActions(): PaletteCommand[] {
  return [...useInviting(), ...useCreations(), ...useOrganizationChoices(), ...useAppearances(), useSigningOut()]
}

/** Into the current organisation, for its admins. */
function useInviting(): PaletteCommand[] {
  const { t } = useTranslation()
  const can = useCan()
  const go = useGo()
  const { membership } = useCurrentOrganization()
  if (!membership || !can('administerOrganization', membership)) return []
  const { organizationId, name } = membership
  return [
    {
      id: 'invite',
      label: t('inviteUser'),
      hint: name,
      icon: UserPlus,
      run: () =>
        go({ to: '/user-administration/invite/$organizationId', params: { organizationId } }, '/user-administration'),
    },
    {
      id: 'invite many',
      label: t('inviteMany'),
      hint: name,
      icon: Users,
      run: () => go({ to: '/user-administration/import/$organizationId', params: { organizationId } }),
    },
  ]
}

function useCreations(): PaletteCommand[] {
  const { t } = useTranslation()
  const can = useCan()
  const go = useGo()
  return creations
    .filter(({ permission }) => can(permission))
    .map(({ to, pageBelow, label, icon }) => ({ id: to, label: t(label), icon, run: () => go({ to }, pageBelow) }))
}

function useOrganizationChoices(): PaletteCommand[] {
  const { t } = useTranslation()
  const { organizations = [] } = useSignedIn()
  const { id } = useCurrentOrganization()
  return organizations
    .filter(({ organizationId }) => organizationId !== id)
    .map(({ organizationId, name }) => ({
      id: `organization ${organizationId}`,
      label: t('switchToOrganization', { name }),
      icon: Building2,
      run: () => storeOrganization(organizationId),
    }))
}

function useAppearances(): PaletteCommand[] {
  const { theme, language } = useAppearance()
  return [
    { ...theme, icon: SunMoon },
    { ...language, icon: Languages },
  ].flatMap(({ label: kind, value: present, options, onChange, icon }) =>
    options
      .filter(({ value }) => value !== present)
      .map(({ value, label, ...option }) => ({
        id: `${kind} ${value}`,
        label,
        hint: kind,
        icon,
        lang: 'lang' in option ? option.lang : undefined,
        run: () => onChange(value),
      })),
  )
}

function useSigningOut(): PaletteCommand {
  const { t } = useTranslation()
  return { id: 'sign-out', label: t('signOut'), icon: LogOut, run: signOut }
}
