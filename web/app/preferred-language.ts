import { useEffect, useRef } from 'react'
import type { Language } from '#contract/roles.ts'
import type { CurrentUser } from '#contract/session.ts'
import { messageText, switchLanguage } from '#web/lib/i18n.ts'
import { toasts } from '#web/ui/toast-store.ts'

/** A person's own language comes before the browser's, from the moment that we know the person. */
export function usePreferredLanguage(me: CurrentUser | undefined) {
  const preferred = me?.preferredLanguage
  const followed = useRef<Language>(undefined)
  useEffect(() => {
    if (!preferred || followed.current === preferred) return
    followed.current = preferred
    void chooseLanguage(preferred)
  }, [preferred])
}

/** The one place where somebody changes the language of the page. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await switchLanguage(language)
  } catch {
    toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') })
  }
}
