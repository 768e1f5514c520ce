import { type ReactNode, useMemo } from 'react'
import { textsIn, useLanguage } from '#web/lib/texts/i18n.ts'
import { TextsContext } from '#web/lib/texts/texts.ts'

/** Gives i18next's texts to the parts that the app has in common with the sign-in pages. */
export function AppTexts({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const texts = useMemo(() => textsIn(language), [language])
  return <TextsContext value={texts}>{children}</TextsContext>
}
