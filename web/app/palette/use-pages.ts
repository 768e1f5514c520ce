import FileText from 'lucide-react/icons/file-text'
import House from 'lucide-react/icons/house'
import { useTranslation } from 'react-i18next'
import type { PaletteCommand } from '#web/lib/palette/palette-command.ts'
import { useGo } from '#web/lib/palette/use-go.ts'
import { useDeclaredRoutes } from '../declared.ts'
import { useMenus } from '../use-menus.ts'

/** Every page of the header that this person may open. */
export function usePages(): PaletteCommand[] {
  const { t } = useTranslation()
  const go = useGo()
  const inBar = new Set(useMenus().bar.map(({ to }) => to))
  return useDeclaredRoutes()
    .filter(({ menu }) => menu)
    .map(({ to, title, menu, icon = menu === 'bar' ? House : FileText }) => ({
      id: `page ${to}`,
      label: t(title),
      hint: menu === 'administration' && !inBar.has(to) ? t('administration') : undefined,
      icon,
      run: () => go({ to }),
    }))
}
