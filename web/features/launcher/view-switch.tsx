import LayoutGrid from 'lucide-react/icons/layout-grid'
import List from 'lucide-react/icons/list'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/ui/icon-button.tsx'
import styles from './launcher.module.css'
import type { LauncherView } from './launcher-view.ts'

interface ViewSwitchProps {
  view: LauncherView
  onChange: (view: LauncherView) => void
}

export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.views}>
      <legend className="vh">{t('viewAs')}</legend>
      <IconButton
        icon={LayoutGrid}
        label={t('viewCards')}
        aria-pressed={view === 'cards'}
        onClick={() => onChange('cards')}
      />
      <IconButton icon={List} label={t('viewList')} aria-pressed={view === 'list'} onClick={() => onChange('list')} />
    </fieldset>
  )
}
