import { useEffect, useState } from 'react'
import type { Language } from '#contract/languages.ts'

/** A part's own texts in the page's language, as soon as they are there; until then those that are shown. */
export function usePartTexts<Texts>(load: (language: Language) => Promise<Texts>, first: Texts, language: Language) {
  const [texts, setTexts] = useState(first)
  useEffect(() => {
    let current = true
    void load(language)
      .then((loaded) => {
        if (current) setTexts(loaded)
      })
      // Without a network the part stays in the language that it is in, as the page does.
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [load, language])
  return texts
}
