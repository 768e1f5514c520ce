import { createLink, Link, type StaticDataRouteOption, useLocation, useMatches } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Logo } from '#web/ui/frame/logo.tsx'
import { TopBar, TopBarLink } from '#web/ui/frame/top-bar.tsx'
import { Menu, MenuLink } from '#web/ui/menu/menu.tsx'
import { MenuGroup } from '#web/ui/menu/menu-group.tsx'
import { Palette } from '../palette/palette.tsx'
import { useMenus } from '../use-menus.ts'
import { AccountMenu } from './account-menu.tsx'
import { MenuPanel } from './menu-panel.tsx'
import { OrganizationSelector } from './organization-selector.tsx'

const BarLink = createLink(TopBarLink)

export function Header() {
  const { t } = useTranslation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [openedAt, setOpenedAt] = useState<string>()
  // A menu that was opened on another page is closed on this one.
  const setOpen = useCallback((open: boolean) => setOpenedAt(open ? path : undefined), [path])
  return (
    <TopBar
      home={
        <Link to="/" aria-label={t('productName')} onClick={() => setOpen(false)}>
          <Logo name={t('productName')} />
        </Link>
      }
      links={<Links path={path} />}
      search={<Palette />}
      organization={<OrganizationSelector />}
      account={<AccountMenu />}
      panel={<MenuPanel />}
      navLabel={t('mainMenu')}
      openLabel={t('openMenu')}
      closeLabel={t('closeMenu')}
      open={openedAt === path}
      onOpenChange={setOpen}
    />
  )
}

const isReachedFrom = ({ staticData }: { staticData: StaticDataRouteOption }) => staticData.reachedFrom !== undefined

function Links({ path }: { path: string }) {
  const { t } = useTranslation()
  const { bar, administration } = useMenus()
  const from = useMatches({ select: (matches) => matches.findLast(isReachedFrom)?.staticData.reachedFrom })
  const shown = from ?? [path]
  return (
    <>
      {bar.map(({ to, title }) => (
        <BarLink key={to} to={to} activeOptions={{ exact: to === '/' }}>
          {t(title)}
        </BarLink>
      ))}
      {administration.length > 0 && (
        <Menu
          label={t('administration')}
          current={administration.some(({ entries }) =>
            entries.some(({ to }) => shown.some((one) => one.startsWith(to))),
          )}
        >
          {administration.map(({ label, entries }) => (
            <MenuGroup key={label} label={label && t(label)}>
              {entries.map(({ to, title }) => (
                <MenuLink key={to} link={<Link to={to} />}>
                  {t(title)}
                </MenuLink>
              ))}
            </MenuGroup>
          ))}
        </Menu>
      )}
    </>
  )
}
