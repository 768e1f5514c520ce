import { useMatches } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useTitle } from '#web/lib/texts/title.ts'

/** The window's title: that of the innermost route that has one. */
export function usePageTitle() {
  const { t } = useTranslation()
  const key = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
  })
  useTitle(key && t(key), t)
}
