import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matchingCommands, type PaletteCommand, wordsOf } from '#web/lib/palette/palette-command.ts'
import type { Finder } from '#web/lib/palette/use-search.ts'
import { LoadingFailure } from '#web/lib/requests/loaded.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { CommandDialog } from '#web/ui/command/command-dialog.tsx'
import { CommandList } from '#web/ui/command/command-list.tsx'
import { useActions } from './use-actions.ts'
import { useOwnServices } from './use-own-services.ts'
import { usePages } from './use-pages.ts'

interface PaletteDialogProps {
  open: boolean
  finders: readonly Finder[]
  /** Counts the openings: each begins with nothing typed, also while the one before still fades out. */
  opening: number
  /** What was typed before there was a box to type in. */
  takeTyped: () => string
  onClose: () => void
  onChoose: (command: PaletteCommand) => void
  finalFocus: () => HTMLElement | false | null
}

export function PaletteDialog(props: PaletteDialogProps) {
  const { open, opening, finders, takeTyped, onClose, onChoose, finalFocus } = props
  const { t } = useTranslation()
  return (
    <CommandDialog open={open} onClose={onClose} finalFocus={finalFocus} title={t('palette')}>
      <Commands key={opening} finders={finders} takeTyped={takeTyped} onChoose={onChoose} />
    </CommandDialog>
  )
}

/** The pages and actions that this person may use, and the people they can find. */
function Commands({ finders, takeTyped, onChoose }: Pick<PaletteDialogProps, 'finders' | 'takeTyped' | 'onChoose'>) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [text, setText] = useState('')
  const words = wordsOf(text, language)
  const pages = usePages()
  const services = useOwnServices()
  const actions = useActions()
  // biome-ignore lint/correctness/useHookAtTopLevel: always the same finders, in the same order
  const searches = finders.map(({ useFound }) => useFound(text))

  const groups = [
    { label: t('pages'), items: matchingCommands(pages, words, language) },
    { label: t('ownServices'), items: matchingCommands(services, words, language) },
    { label: t('actions'), items: matchingCommands(actions, words, language) },
    ...searches.map(({ label, commands }) => ({ label, items: commands })),
  ].filter(({ items }) => items.length > 0)
  const searching = searches.some((search) => search.searching)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const failure = searches.find((search) => search.failure)?.failure
  const result = count > 0 ? t('paletteFound', { count }) : t('paletteNothingFound', { searchQuery: text.trim() })
  return (
    <CommandList
      label={t('palette')}
      placeholder={t('palettePlaceholder')}
      closeLabel={t('close')}
      text={text}
      onText={setText}
      onFocus={() => setText(text + takeTyped())}
      groups={groups}
      onChoose={onChoose}
      emptyText={searching ? t('searching') : failure ? '' : result}
      legend={[
        { keys: '↑ ↓', text: t('keysMove') },
        { keys: '↵', text: t('keysChoose') },
        { keys: 'Esc', text: t('keysClose') },
      ]}
      busy={searching}
      announcement={searching ? t('searching') : words.length > 0 && !failure ? result : ''}
      failure={failure && <LoadingFailure {...failure} />}
    />
  )
}
