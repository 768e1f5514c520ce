import Building2 from 'lucide-react/icons/building-complex'
import Languages from 'lucide-react/icons/languages'
import LogOut from 'lucide-react/icons/log-out'
import SunMoon from 'lucide-react/icons/sun-moon'
import { useTranslation } from 'react-i18next'
import type { PaletteCommand } from '#web/lib/palette/palette-command.ts'
import { useGo } from '#web/lib/palette/use-go.ts'
import { signOut } from '#web/lib/requests/sign-out.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { useEnter } from '#web/lib/session/enter-organization.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { useDeclaredRoutes } from '../declared.ts'
import { useAppearance } from '../use-appearance.ts'

/** Everything that this person can do from anywhere. */
export function useActions(): PaletteCommand[] {
  return [...useDeclaredActions(), ...useOrganizationChoices(), ...useAppearances(), useSigningOut()]
}

/** What the rooms offer: everywhere, or in the chosen organisation. */
function useDeclaredActions(): PaletteCommand[] {
  const { t } = useTranslation()
  const can = useCan()
  const go = useGo()
  const { membership } = useCurrentOrganization()
  return useDeclaredRoutes().flatMap(({ to, title, action, pageBelow }) => {
    if (!action) return []
    const command = { id: to, label: t(title), icon: action.icon }
    if (!action.inOrganization) return { ...command, run: () => go({ to }, pageBelow) }
    if (!membership || !can(action.inOrganization, membership)) return []
    const { organizationId, name } = membership
    return { ...command, hint: name, run: () => go({ to, params: { organizationId } }, pageBelow) }
  })
}

function useOrganizationChoices(): PaletteCommand[] {
  const { t } = useTranslation()
  const { organizations = [], heldBack } = useSignedIn()
  const { id } = useCurrentOrganization()
  const enter = useEnter()
  return [...organizations, ...heldBack]
    .filter(({ organizationId }) => organizationId !== id)
    .map(({ organizationId, name }) => ({
      id: `organization ${organizationId}`,
      label: t('switchToOrganization', { name }),
      icon: Building2,
      run: () => enter(organizationId),
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
