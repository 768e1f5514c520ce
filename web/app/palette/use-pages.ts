import FileText from 'lucide-react/icons/file-text'
import { useTranslation } from 'react-i18next'
import { useMenuEntries } from '../use-menu-entries.ts'
import type { PaletteCommand } from './palette-command.ts'
import { useGo } from './use-go.ts'

/** Every page of the header that this person may open. */
export function usePages(): PaletteCommand[] {
  const { t } = useTranslation()
  const go = useGo()
  const bar = useMenuEntries('bar')
  const administration = useMenuEntries('administration')
  const account = useMenuEntries('account')
  return [...bar, ...administration, ...account].map(({ to, label, place }) => ({
    id: `page ${to}`,
    label: t(label),
    hint: place === 'administration' ? t('administration') : undefined,
    icon: FileText,
    run: () => go({ to }),
  }))
}
