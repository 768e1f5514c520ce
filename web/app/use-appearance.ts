import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { Language } from '#contract/roles.ts'
import { useOwnLanguage } from '#web/lib/session/own-language.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { languageNames } from '#web/lib/texts/language.ts'
import { chooseTheme, type Theme, themes, useTheme } from '#web/lib/theme.ts'

const themeLabels: Record<Theme, MessageKey> = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' }

/** The two choices of the account menu, the same on wide and small screens. */
export function useAppearance() {
  const { t } = useTranslation()
  const chooseLanguage = useOwnLanguage()
  return {
    theme: {
      label: t('theme'),
      value: useTheme() as string,
      options: themes.map((value) => ({ value, label: t(themeLabels[value]) })),
      onChange: (value: string) => chooseTheme(value as Theme),
    },
    language: {
      label: t('language'),
      value: useLanguage() as string,
      options: languageNames.map(({ value, name }) => ({ value, label: name, lang: value })),
      onChange: (value: string) => chooseLanguage(value as Language),
    },
  }
}
