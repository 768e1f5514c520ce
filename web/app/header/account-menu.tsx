import { Link } from '@tanstack/react-router'
import CircleUser from 'lucide-react/icons/circle-user'
import LogOut from 'lucide-react/icons/log-out'
import { useTranslation } from 'react-i18next'
import { signOut } from '#web/lib/requests/sign-out.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { signInMethodTexts } from '#web/lib/texts/sign-in-methods.ts'
import { Menu, MenuChoice, MenuItem, MenuLink } from '#web/ui/menu/menu.tsx'
import { MenuEnd, MenuNote, MenuSeparator } from '#web/ui/menu/menu-group.tsx'
import { useAppearance } from '../use-appearance.ts'
import { useMenus } from '../use-menus.ts'

/** Own screens, appearance, language, the way out; called by the person's first name, or just "Account". */
export function AccountMenu() {
  const { t } = useTranslation()
  const { firstName, signedInWith } = useSignedIn().me
  const { theme, language } = useAppearance()
  const entries = useMenus().account
  return (
    <Menu
      label={firstName || t('accountMenu')}
      name={firstName ? t('accountMenuName', { name: firstName }) : t('accountMenu')}
      icon={CircleUser}
      align="end"
    >
      <MenuNote>{t('signedInWith', { method: t(signInMethodTexts[signedInWith]) })}</MenuNote>
      {entries.map(({ to, title }) => (
        <MenuLink key={to} link={<Link to={to} />}>
          {t(title)}
        </MenuLink>
      ))}
      {entries.length > 0 && <MenuSeparator />}
      <MenuChoice {...theme} />
      <MenuSeparator />
      <MenuChoice {...language} />
      <MenuEnd>
        <MenuItem icon={LogOut} onClick={signOut}>
          {t('signOut')}
        </MenuItem>
      </MenuEnd>
    </Menu>
  )
}
