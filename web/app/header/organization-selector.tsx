import Building2 from 'lucide-react/icons/building-complex'
import { useTranslation } from 'react-i18next'
import { useEnter } from '#web/lib/session/enter-organization.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Menu, MenuChoice } from '#web/ui/menu/menu.tsx'

/** A plain label for one organisation, a menu for more. */
export function OrganizationSelector() {
  const { t } = useTranslation()
  const { organizations = [], heldBack } = useSignedIn()
  const enter = useEnter()
  const { membership } = useCurrentOrganization()
  if (!membership && heldBack.length === 0) return null
  if (membership && organizations.length + heldBack.length === 1)
    return (
      <span title={membership.name}>
        <span className="vh">{t('organization')}: </span>
        {membership.name}
      </span>
    )
  return (
    <Menu
      label={membership?.name ?? t('organization')}
      name={membership && t('organizationMenuName', { name: membership.name })}
      icon={Building2}
      align="end"
    >
      <MenuChoice
        label={t('organization')}
        value={membership?.organizationId ?? ''}
        options={[...organizations, ...heldBack].map(({ organizationId, name, needs }) => ({
          value: organizationId,
          label: needs === null ? name : t('organizationNeedsMore', { name }),
        }))}
        onChange={enter}
      />
    </Menu>
  )
}
