import { useEffect, useRef } from 'react'
import type { Language } from '#contract/roles.ts'
import type { CurrentUser } from '#contract/session/session.ts'
import { chooseLanguage } from '#web/lib/session/own-language.ts'

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
