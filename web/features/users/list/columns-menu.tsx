import Columns3 from 'lucide-react/icons/columns-3'
import { useTranslation } from 'react-i18next'
import { Menu } from '#web/ui/menu/menu.tsx'
import { MenuCheck } from '#web/ui/menu/menu-check.tsx'
import { type Columns, optionalColumns } from './use-columns.ts'

/** Chooses which columns the list has. */
export function ColumnsMenu({ columns }: { columns: Columns }) {
  const { t } = useTranslation()
  const names = {
    email: t('email'),
    belongings: columns.belongings && t(columns.belongings),
    groups: columns.hasGroups && t('groups'),
    moreRoles: columns.hasRoles && t('moreRoles'),
    status: t('userStatus'),
    lastActive: t('lastActive'),
    loginMethod: t('loginMethod'),
  }
  return (
    <Menu label={t('columns')} icon={Columns3} look="button" align="end">
      {optionalColumns.map((column) => {
        const name = names[column]
        return (
          name && (
            <MenuCheck key={column} checked={columns.shown(column)} onClick={() => columns.toggle(column)}>
              {name}
            </MenuCheck>
          )
        )
      })}
    </Menu>
  )
}
